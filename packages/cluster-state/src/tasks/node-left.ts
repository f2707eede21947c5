/** Removes a node. The allocator fails its copies in the same log entry. */
import type { NodeId } from "@orrery/stdx";
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface NodeLeft {
  readonly kind: "node-left";
  readonly nodeId: NodeId;
  /** `disconnected`, `followers check retry count exceeded`, `lagging`, … */
  readonly reason: string;
  /** Time in the unassigned info of replicas, whose number may follow the number of nodes. */
  readonly nowMs?: number;
}

/**
 * Removes a node. Unchanged when the state lacks the node. Its vote stays, which the task `reconfigure-voters` removes
 * later.
 */
export function nodeLeft(state: ClusterState, task: NodeLeft): Outcome {
  if (!state.nodes.has(task.nodeId)) return unchanged;
  const nodes = new Map(state.nodes);
  nodes.delete(task.nodeId);
  return updated(withAutoExpandedReplicas({ ...state, nodes }, task.nowMs));
}
