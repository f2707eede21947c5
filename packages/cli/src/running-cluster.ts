/** A cluster that `orrery up` runs, whichever way: its nodes can be stopped, started and killed by number. */
import type { NodePlan } from "./cluster-plan.ts";

export interface RunningCluster {
  readonly nodes: readonly RunningNode[];
  /** Ends when every node is there and every shard copy where it should be; rejects with `UsageError` when a node cannot start. */
  readonly green: Promise<void>;
  /** Counted from 1. */
  stopNode(number: number): Promise<void>;
  startNode(number: number): Promise<void>;
  killNode(number: number): Promise<void>;
  /** Stops all of it. */
  stop(): Promise<void>;
}

export interface RunningNode {
  readonly plan: NodePlan;
  readonly pid: number;
  readonly roles: readonly string[];
}

/** A node that ended although nobody asked it to. */
export type OnDeath = (plan: NodePlan, how: string) => void;
