/** What is said between a node's process and the one that keeps it. */
import type { ActiveRule } from "@orrery/faults";
import type { TraceEvent } from "@orrery/ports";

/** From the node. */
export type NodeReport =
  | { readonly event: "joined" }
  | { readonly event: "green" }
  | { readonly event: "failed"; readonly reason: string }
  /** An order was carried out. */
  | { readonly event: "done"; readonly order: number }
  /** How often each rule took effect in this life of the node. */
  | { readonly event: "hits"; readonly hits: readonly (readonly [string, number])[] }
  | { readonly event: "trace"; readonly events: readonly TraceEvent[] };

/** To a node with faults. */
export interface NodeOrder {
  readonly order: number;
  readonly what: {
    readonly kind: "rules";
    readonly rules: readonly ActiveRule[];
    readonly names: Readonly<Record<string, string>>;
  };
}

/** What a node with faults is told at its start. */
export interface FaultyStart {
  readonly names: Readonly<Record<string, string>>;
  readonly rules: readonly ActiveRule[];
  readonly isTraced: boolean;
}
