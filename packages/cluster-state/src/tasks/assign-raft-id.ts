/**
 * Assigns a Raft id to a node before it is a member, so that it can receive the log as a learner.
 *
 * A node that lost entries which it acknowledged gets a new id: to Raft it is another member. The acknowledgements under
 * the old id keep counting, and nothing answers under it any more (INV-STORE-2).
 */
import type { NodeId } from "@orrery/stdx";
import { withNewRaftId, withRaftIds } from "../raft-ids.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface AssignRaftId {
  readonly kind: "assign-raft-id";
  readonly nodeId: NodeId;
  /** The id whose log was lost; without effect when the node has another one by now. */
  readonly replaces?: number;
}

/** Assigns a Raft id to a node. Unchanged when the node has an id that is not the one to be replaced. */
export function assignRaftId(state: ClusterState, task: AssignRaftId): Outcome {
  const { metadata } = state;
  const { nodeId, replaces } = task;
  const isReplaced =
    replaces !== undefined && metadata.coordination.raftIds.get(nodeId) === replaces;
  const coordination = isReplaced
    ? withNewRaftId(metadata.coordination, nodeId)
    : withRaftIds(metadata.coordination, [nodeId]);
  if (coordination === metadata.coordination) return unchanged;
  return updated({ ...state, metadata: { ...metadata, coordination } });
}
