/** A cluster that `orrery up` runs, whichever way: its nodes can be stopped, started and killed by number. */
import type { NodePlan } from "./cluster-plan.ts";
import { UsageError } from "./usage.ts";

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

/** How long the start of one node may take to be answered: without a quorum it cannot join, however long one waits. */
const JOIN_PATIENCE_MS = 15_000;

/** What the promise ends with, if it does so in time. */
export async function withPatience(joined: Promise<void>, plan: NodePlan): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = JOIN_PATIENCE_MS / 1000;
      reject(new UsageError(`${plan.name} runs and has not joined a cluster within ${seconds} s`));
    }, JOIN_PATIENCE_MS);
  });
  try {
    await Promise.race([joined, patience]);
  } finally {
    clearTimeout(timer);
  }
}

const DEFAULT_ROLES = ["cluster_manager", "data", "ingest", "remote_cluster_client"];

export function rolesOf(plan: NodePlan): readonly string[] {
  const roles = plan.settings["node.roles"];
  if (roles === undefined) return DEFAULT_ROLES;
  if (typeof roles !== "string") return roles;
  return roles.split(",").flatMap((role) => (role.trim() === "" ? [] : [role.trim()]));
}

/** A node that ended although nobody asked it to. */
export type OnDeath = (plan: NodePlan, how: string) => void;
