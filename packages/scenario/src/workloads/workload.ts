/** A workload: what clients do while faults happen, and what they remember of it for the checkers. */
import type { World } from "../world.ts";
import type { Bulk } from "./bulk.ts";

export type Workload = Bulk;

/** What clients know at the end. */
export interface History {
  /** Documents a client was told are written, with the content it sent, by index and id. */
  readonly acknowledged: Map<string, AcknowledgedDocument>;
  requests: number;
  failures: number;
  unknown: number;
}

export interface AcknowledgedDocument {
  readonly index: string;
  readonly id: string;
  readonly value: number;
}

/** Runs until `isOver`; resolves when every client has stopped. */
export type RunWorkload<Kind extends Workload> = (
  workload: Kind,
  world: World,
  history: History,
  isOver: () => boolean,
) => Promise<void>;
