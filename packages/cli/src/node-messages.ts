/** What is said between a node's process and the one that keeps it. */
import type { ActiveRule, Unsynced } from "@orrery/faults";
import type { TraceEvent } from "@orrery/ports";
import type { ClusterView } from "@orrery/scenario";

/** From the node. */
export type NodeReport =
  /** It answers requests. */
  | { readonly event: "serving" }
  | { readonly event: "joined" }
  | { readonly event: "green" }
  | { readonly event: "failed"; readonly reason: string }
  /** An order was carried out. */
  | { readonly event: "done"; readonly order: number; readonly view?: ClusterView }
  /** How often each rule took effect in this life of the node. */
  | { readonly event: "hits"; readonly hits: readonly (readonly [string, number])[] }
  | { readonly event: "trace"; readonly events: readonly TimedEvent[] };

/** An event, and when it happened. */
export type TimedEvent = readonly [wallMs: number, event: TraceEvent];

/** To a node with faults. */
export interface NodeOrder {
  readonly order: number;
  readonly what:
    | {
        readonly kind: "rules";
        readonly rules: readonly ActiveRule[];
        readonly names: Readonly<Record<string, string>>;
      }
    | { readonly kind: "view" }
    /** It is not answered: the node is gone. */
    | { readonly kind: "power-off"; readonly unsynced: Unsynced };
}

/** What a node with faults is told at its start. */
export interface FaultyStart {
  readonly names: Readonly<Record<string, string>>;
  readonly rules: readonly ActiveRule[];
  readonly isTraced: boolean;
  /** Messages, timers and syncs, too. */
  readonly isDetailed: boolean;
}
