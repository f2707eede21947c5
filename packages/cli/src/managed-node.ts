/** One node that this process keeps, in a process of its own or in this one: started, ended, and made to suffer. */
import type { ActiveRule, Unsynced } from "@orrery/faults";
import type { TraceEvent } from "@orrery/ports";
import type { ClusterView } from "@orrery/scenario";
import type { NodePlan } from "./cluster-plan.ts";

export type NodeStatus = "down" | "up" | "paused";

export interface ManagedNode {
  readonly plan: NodePlan;
  /** 0 while it is down. */
  readonly pid: number;
  readonly status: NodeStatus;
  /** Ends when it answers requests, has joined its cluster, or the cluster is green as well; rejects with `UsageError` when it cannot start. */
  start(awaited: "serving" | "joined" | "green"): Promise<void>;
  /** Whether it answers requests. */
  readonly isServing: boolean;
  /** The orderly end; nothing happens when it is down. */
  stop(): Promise<void>;
  /** It is gone at once. */
  kill(): Promise<void>;
  readonly faults: NodeFaults | undefined;
}

/** What can go wrong with a node whose ports are decorated. */
export interface NodeFaults {
  /** Nothing happens on it until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** What is on from now on; ends when the node has heard of it, if it can hear. */
  setRules(rules: readonly ActiveRule[]): Promise<void>;
  /** How often each rule took effect here, in all lives of the node. */
  readonly hits: ReadonlyMap<string, number>;
  /** What was not synced is lost, torn or kept, and the node is gone. Nothing happens when it is down. */
  powerOff(unsynced: Unsynced): Promise<void>;
  /** The cluster as this node sees it; `undefined` when it does not answer. */
  view(): Promise<ClusterView | undefined>;
  /** Removes all it has on its disk; it must be down. */
  wipe(): Promise<void>;
}

/** How a node is watched and made to suffer; without it there are no decorators. */
export interface FaultOptions {
  /** The name of the node at an address, for all nodes that this process keeps. */
  readonly names: () => Readonly<Record<string, string>>;
  /** Events of the node's trace, and when they happened (`wallMs`). */
  readonly onTrace?: (node: string, event: TraceEvent, wallMs: number) => void;
  /** Messages, timers and syncs are told, too. */
  readonly isDetailed?: boolean;
}

/** A node that ended although nobody asked it to. */
export type OnDeath = (plan: NodePlan, how: string) => void;

const DEFAULT_ROLES = ["cluster_manager", "data", "ingest", "remote_cluster_client"];

export function rolesOf(plan: NodePlan): readonly string[] {
  const roles = plan.settings["node.roles"];
  if (roles === undefined) return DEFAULT_ROLES;
  if (typeof roles !== "string") return roles;
  return roles.split(",").flatMap((role) => (role.trim() === "" ? [] : [role.trim()]));
}

/** Adds what a life of a node counted to what its lives before it did. */
export function sumOfHits(
  before: ReadonlyMap<string, number>,
  now: Iterable<readonly [string, number]>,
): ReadonlyMap<string, number> {
  const sum = new Map(before);
  for (const [id, hits] of now) sum.set(id, (sum.get(id) ?? 0) + hits);
  return sum;
}
