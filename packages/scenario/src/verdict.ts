/** What a run comes to. */
import type { WorldName } from "./world.ts";

/** `inconclusive`: nothing is wrong, but the run does not show it: a fault never took effect, or nobody wrote anything. */
export type VerdictName = "pass" | "fail" | "inconclusive";

export interface Finding {
  /** As in docs/invariants.md; absent when the run itself broke: an error nobody handled, a run that did not end. */
  readonly invariant?: string;
  /** Who found it: a checker's name, or `step`. */
  readonly checker?: string;
  /** What is wrong, in a sentence. */
  readonly says: string;
  /** When it was seen, in milliseconds of the run. */
  readonly atMs: number;
}

export interface Verdict {
  readonly verdict: VerdictName;
  readonly scenario: string;
  readonly seed: number;
  readonly world: WorldName;
  /** Of every event of the trace; empty in a world that promises none. */
  readonly hash: string;
  readonly events: number;
  readonly virtual_ms: number;
  readonly operations: number;
  readonly acknowledged: number;
  /** What is wrong; empty unless the verdict is `fail`. */
  readonly findings: readonly Finding[];
  /** Why nothing can be said; empty unless the verdict is `inconclusive`. */
  readonly doubts: readonly string[];
  /** One for each fault that was due: how many events it changed. */
  readonly receipts: readonly Receipt[];
  /** The first finding, and who found it, in a sentence. */
  readonly failure?: string;
  /** The last events before it was seen, one line of JSON each; empty unless the verdict is `fail`. */
  readonly last_events: readonly string[];
}

export interface Receipt {
  /** The fault's kind. */
  readonly fault: string;
  /** The fault as data, and what it was done to. */
  readonly description: string;
  /** Where the plan says so: `fault 1 of the list`. What happens again and again has a receipt each time. */
  readonly place: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** Frames, syncs, requests, nodes … that were not what they would have been. */
  readonly hits: number;
}
