/** Gives a node its Raft id before it is a member, so that it can be fed the log as a learner. */
import type { NodeId } from "@orrery/stdx";
import { withRaftIds } from "../raft-ids.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface AssignRaftId {
  readonly kind: "assign-raft-id";
  readonly nodeId: NodeId;
}

export function assignRaftId(state: ClusterState, task: AssignRaftId): Outcome {
  const { metadata } = state;
  const coordination = withRaftIds(metadata.coordination, [task.nodeId]);
  if (coordination === metadata.coordination) return unchanged;
  return updated({ ...state, metadata: { ...metadata, coordination } });
}
