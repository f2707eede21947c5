/** Messages between a node's process and its parent. */
import type { ActiveRule, Unsynced } from "@orrery/faults";
import type { TraceEvent } from "@orrery/ports";
import type { ClusterView } from "@orrery/scenario";

/** Message from the process of a node to its parent. */
export type NodeReport =
  /** The node answers requests. */
  | { readonly event: "serving" }
  | { readonly event: "joined" }
  | { readonly event: "green" }
  | { readonly event: "failed"; readonly reason: string }
  /** An order was carried out. */
  | { readonly event: "done"; readonly order: number; readonly view?: ClusterView }
  /** Hits by rule id in this incarnation of the node. */
  | { readonly event: "hits"; readonly hits: readonly (readonly [string, number])[] }
  | { readonly event: "trace"; readonly events: readonly TimedEvent[] };

/** Event of the trace with its wall time in milliseconds. */
export type TimedEvent = readonly [wallMs: number, event: TraceEvent];

/** Message to a node with faults. */
export interface NodeOrder {
  readonly order: number;
  readonly what:
    | {
        readonly kind: "rules";
        readonly rules: readonly ActiveRule[];
        readonly names: Readonly<Record<string, string>>;
      }
    | { readonly kind: "view" }
    /** Not acknowledged, as the node ends. */
    | { readonly kind: "power-off"; readonly unsynced: Unsynced };
}

/** Fault rules and options that a node with fault injection gets at its start. */
export interface FaultyStart {
  readonly names: Readonly<Record<string, string>>;
  readonly rules: readonly ActiveRule[];
  readonly isTraced: boolean;
  /** Messages, timers and syncs are traced. */
  readonly isDetailed: boolean;
}

/** Message from a process of several nodes: the report of one of them. */
export interface SharedReport {
  readonly node: string;
  readonly report: NodeReport;
}
