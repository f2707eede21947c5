/** Verdict of a run. */
import type { WorldName } from "./world.ts";

/**
 * `inconclusive`: no violation was found, but the run proves little: a fault never took effect, or no write was
 * acknowledged.
 */
export type VerdictName = "pass" | "fail" | "inconclusive";

/**
 * Thing that a finding concerns. Its members narrow each other: a document in a shard of an index, the copy of a shard
 * on a node, the operation of a client on a document.
 */
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
  /**
   * Number of the invariant in docs/invariants.md; absent if the run itself failed: an unhandled error, or a run that
   * did not end.
   */
  readonly invariant?: string;
  /** Name of the checker, or `step`. */
  readonly checker?: string;
  /** Violation, in a sentence. */
  readonly says: string;
  /** Things that it concerns, the first one first; absent if the checker names none. */
  readonly subjects?: readonly Subject[];
  /** Time at which it was found, in milliseconds since the start of the run. */
  readonly atMs: number;
}

export interface Verdict {
  readonly verdict: VerdictName;
  readonly scenario: string;
  readonly seed: number;
  readonly world: WorldName;
  /** Hash over all events of the trace; empty in worlds that are not deterministic. */
  readonly hash: string;
  readonly events: number;
  readonly virtual_ms: number;
  readonly operations: number;
  readonly acknowledged: number;
  /** Writes that were rejected, and those whose outcome clients do not know. */
  readonly failed_writes: number;
  readonly unanswered_writes: number;
  /** Findings; empty unless the verdict is `fail`. */
  readonly findings: readonly Finding[];
  /** Reasons why the run proves little; empty unless the verdict is `inconclusive`. */
  readonly doubts: readonly string[];
  /** One receipt for each injected fault: the number of events that it changed. */
  readonly receipts: readonly Receipt[];
  /** First finding with its checker, in a sentence. */
  readonly failure?: string;
  /** Last events before the finding, one line of JSON each; empty unless the verdict is `fail`. */
  readonly last_events: readonly string[];
}

export interface Receipt {
  /** Kind of the fault. */
  readonly fault: string;
  /** Fault as data, with its targets. */
  readonly description: string;
  /** Position in the plan, such as `fault 1 of the list`. A repeated fault has a receipt for each injection. */
  readonly place: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** Number of frames, syncs, requests, nodes … that the fault changed. */
  readonly hits: number;
}
