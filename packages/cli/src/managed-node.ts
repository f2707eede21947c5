/**
 * Node under the control of this process, in a process of its own or in this one: started, stopped, and subjected to
 * faults.
 */
import type { ActiveRule, Unsynced } from "@orrery/faults";
import type { TraceEvent } from "@orrery/ports";
import type { ClusterView } from "@orrery/scenario";
import type { NodePlan } from "./cluster-plan.ts";

export type NodeStatus = "down" | "up" | "paused";

export interface ManagedNode {
  readonly plan: NodePlan;
  /** Process id; 0 while it is down. */
  readonly pid: number;
  readonly status: NodeStatus;
  /**
   * Starts the node; resolves when it answers requests, has joined its cluster, or the cluster is green as well;
   * rejects with `UsageError` if it cannot start.
   */
  start(awaited: "serving" | "joined" | "green"): Promise<void>;
  /** True if it answers requests. */
  readonly isServing: boolean;
  /** Stops it in an orderly way; does nothing if it is down. */
  stop(): Promise<void>;
  /** Kills it. */
  kill(): Promise<void>;
  readonly faults: NodeFaults | undefined;
}

/** Fault injection into a node with decorated ports. */
export interface NodeFaults {
  /** Pauses all events of the node until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Replaces the active rules; resolves when the node has applied them, if it is able to. */
  setRules(rules: readonly ActiveRule[]): Promise<void>;
  /** Hits by rule id, summed over all incarnations of the node. */
  readonly hits: ReadonlyMap<string, number>;
  /** Cuts the power: unsynced writes are lost, torn or kept, and the node ends. Does nothing if it is down. */
  powerOff(unsynced: Unsynced): Promise<void>;
  /** Cluster as this node sees it; `undefined` if it does not answer. */
  view(): Promise<ClusterView | undefined>;
  /** Removes all data of the node, which must be down. */
  wipe(): Promise<void>;
}

/** Observation of a node and injection of faults; without these options ports are not decorated. */
export interface FaultOptions {
  /** Node names by address, for all nodes of this process. */
  readonly names: () => Readonly<Record<string, string>>;
  /** Receives events of the node's trace with their times (`wallMs`). */
  readonly onTrace?: (node: string, event: TraceEvent, wallMs: number) => void;
  /** Messages, timers and syncs are traced. */
  readonly isDetailed?: boolean;
}

/** Called for a node that ended unexpectedly. */
export type OnDeath = (plan: NodePlan, how: string) => void;

const DEFAULT_ROLES = ["cluster_manager", "data", "ingest", "remote_cluster_client"];

export function rolesOf(plan: NodePlan): readonly string[] {
  const roles = plan.settings["node.roles"];
  if (roles === undefined) return DEFAULT_ROLES;
  if (typeof roles !== "string") return roles;
  return roles.split(",").flatMap((role) => (role.trim() === "" ? [] : [role.trim()]));
}

/** Adds the hits of an incarnation to those of the earlier ones. */
export function sumOfHits(
  before: ReadonlyMap<string, number>,
  now: Iterable<readonly [string, number]>,
): ReadonlyMap<string, number> {
  const sum = new Map(before);
  for (const [id, hits] of now) sum.set(id, (sum.get(id) ?? 0) + hits);
  return sum;
}
