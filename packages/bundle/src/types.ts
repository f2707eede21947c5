/** Contents of a run bundle as values: identity of the run, events, and outcome. */
import type { TraceEvent } from "@orrery/ports";

/** Event as the flight recorder emits it; `at_ms` is in milliseconds since the start of the run. */
export type RecordedEvent = TraceEvent & { readonly at_ms: number; readonly node: string };

/** Facts known before the run starts. */
export interface RunIdentity {
  readonly scenario: string;
  readonly claim: string;
  /** Path of the scenario file, as the user gave it. */
  readonly file: string;
  /** Text of the scenario file. */
  readonly source: string;
  /** Plan of the run, as JSON. */
  readonly plan: string;
  readonly seed: number;
  readonly world: string;
  readonly programVersion: string;
}

/** Facts known when the run has ended. */
export interface RunOutcome {
  readonly verdict: "pass" | "fail" | "inconclusive";
  readonly hash: string;
  readonly events: number;
  readonly virtualMs: number;
  readonly wallMs: number;
  readonly findings: readonly Finding[];
  /** Reasons of the verdict `inconclusive`; empty for the other verdicts. */
  readonly doubts: readonly string[];
  readonly receipts: readonly Receipt[];
}

/** Thing that a finding concerns. Its members narrow each other: the copy of a shard of an index on a node. */
export interface Subject {
  readonly index?: string;
  readonly document?: string;
  readonly shard?: number;
  /** Name of the node; of an operation: the node that the client asked. */
  readonly node?: string;
  readonly term?: number;
  readonly client?: string;
  /** Number of the request at its client. */
  readonly request?: number;
  /** Kind of the operation, such as `index` or `delete`. */
  readonly operation?: string;
  readonly sentMs?: number;
  readonly answeredMs?: number;
  readonly seqNo?: number;
}

export interface Finding {
  /** Invariant of docs/invariants.md; `undefined` if the run itself failed. */
  readonly invariant?: string;
  readonly checker?: string;
  readonly says: string;
  /** Things that it concerns, the first one first. */
  readonly subjects?: readonly Subject[];
  /** Time at which the checker saw it, in milliseconds since the start of the run. */
  readonly atMs: number;
}

/** Receipt of a fault: the number of events that it changed. */
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

/** Cluster state as one of its nodes shows it, reduced to what a bundle stores. */
export interface ObservedState {
  /** Name of the cluster; empty if the run has only one. */
  readonly cluster: string;
  readonly version: number;
  readonly term: number;
  /** Node name of the elected cluster manager; `undefined` while there is none. */
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
  /** Node name; `undefined` while the copy is unassigned. */
  readonly node: string | undefined;
  readonly allocationId: string | undefined;
}

export interface StoredEvent {
  readonly seq: number;
  /** Event as the recorder wrote it, one line of JSON. */
  readonly json: string;
  /** Index and shard that it is about; `null` if it is about none. */
  readonly index: string | null;
  readonly shard: number | null;
}

export interface StoredOperation {
  readonly client: string;
  readonly id: number;
  readonly operation: string;
  readonly invokedMs: number;
  /** Time of the response; `undefined` if the run ended first. */
  readonly completedMs: number | undefined;
  readonly status: number | undefined;
  readonly outcome: "ok" | "failed" | "unknown";
}

export interface StoredFault {
  readonly kind: string;
  readonly description: string;
  readonly fromMs: number;
  /** Time of the fault's end; `undefined` if it lasted until the end of the run. */
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
