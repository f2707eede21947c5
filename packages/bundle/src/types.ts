/** What a run bundle holds, as values: who ran what, what happened, and what came of it. */
import type { TraceEvent } from "@orrery/ports";

/** As the flight recorder makes it. */
export type RecordedEvent = TraceEvent & { readonly at_ms: number; readonly node: string };

/** Known before the run starts. */
export interface RunIdentity {
  readonly scenario: string;
  readonly claim: string;
  /** The scenario's file as it was named. */
  readonly file: string;
  /** The file's text. */
  readonly source: string;
  /** The plan that ran, as JSON. */
  readonly plan: string;
  readonly seed: number;
  readonly world: string;
  readonly programVersion: string;
}

/** Known at the end. */
export interface RunOutcome {
  readonly verdict: "pass" | "fail" | "inconclusive";
  readonly hash: string;
  readonly events: number;
  readonly virtualMs: number;
  readonly wallMs: number;
  readonly findings: readonly Finding[];
  /** Why nothing can be said; empty unless the verdict is `inconclusive`. */
  readonly doubts: readonly string[];
  readonly receipts: readonly Receipt[];
}

export interface Finding {
  /** As in docs/invariants.md; absent when the run itself broke. */
  readonly invariant?: string;
  readonly checker?: string;
  readonly says: string;
  /** When it was seen. */
  readonly atMs: number;
}

/** What a fault did: so many events were not what they would have been. */
export interface Receipt {
  readonly fault: string;
  readonly description: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly hits: number;
}

type OutcomeFigures = Omit<RunOutcome, "findings" | "doubts" | "receipts">;

export interface RunRecord extends Omit<RunIdentity, "plan" | "source">, OutcomeFigures {
  readonly formatVersion: number;
}

/** The cluster as one of its nodes sees it, as far as a bundle keeps it. */
export interface ObservedState {
  /** Its cluster's name; empty when the run has only one. */
  readonly cluster: string;
  readonly version: number;
  readonly term: number;
  /** Name of the elected cluster manager's node. */
  readonly clusterManager: string | undefined;
  readonly nodes: readonly string[];
  readonly indices: ReadonlyMap<string, { readonly uuid: string }>;
  readonly shards: readonly ObservedCopy[];
}

export interface ObservedCopy {
  readonly index: string;
  readonly shard: number;
  readonly isPrimary: boolean;
  readonly state: string;
  /** The node's name; `undefined` while it is unassigned. */
  readonly node: string | undefined;
  readonly allocationId: string | undefined;
}

export interface StoredEvent {
  readonly seq: number;
  /** The line as it was recorded. */
  readonly json: string;
}

export interface StoredOperation {
  readonly client: string;
  readonly id: number;
  readonly operation: string;
  readonly invokedMs: number;
  /** `undefined`: the run ended first. */
  readonly completedMs: number | undefined;
  readonly status: number | undefined;
  readonly outcome: "ok" | "failed" | "unknown";
}

export interface StoredFault {
  readonly kind: string;
  readonly description: string;
  readonly fromMs: number;
  /** `undefined`: it lasted until the end. */
  readonly toMs: number | undefined;
}

export interface StoredState {
  readonly cluster: string;
  readonly atMs: number;
  readonly version: number;
  readonly term: number;
  readonly clusterManager: string | undefined;
  readonly nodes: readonly string[];
}

export interface StoredCopy extends ObservedCopy {
  readonly cluster: string;
  readonly atMs: number;
  readonly version: number;
}
