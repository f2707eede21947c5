/** A node is gone. Its copies are unassigned by the allocator, in the same entry. */
import type { NodeId } from "@orrery/stdx";
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface NodeLeft {
  readonly kind: "node-left";
  readonly nodeId: NodeId;
  /** `disconnected`, `followers check retry count exceeded`, `lagging`, … */
  readonly reason: string;
  /** For the replicas that are added because of it. */
  readonly nowMs?: number;
}

export function nodeLeft(state: ClusterState, task: NodeLeft): Outcome {
  if (!state.nodes.has(task.nodeId)) return unchanged;
  const nodes = new Map(state.nodes);
  nodes.delete(task.nodeId);
  return updated(withAutoExpandedReplicas({ ...state, nodes }, task.nowMs));
}
