/**
 * Gives a node its Raft id before it is a member, so that it can be fed the log as a learner.
 *
 * A node that lost what it had acknowledged under its id is another member to Raft: it gets a new id, and the old one, whose
 * acknowledgements still count, is never heard of again.
 */
import type { NodeId } from "@orrery/stdx";
import { withNewRaftId, withRaftIds } from "../raft-ids.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface AssignRaftId {
  readonly kind: "assign-raft-id";
  readonly nodeId: NodeId;
  /** The id that it lost; nothing changes when it has another one by now. */
  readonly replaces?: number;
}

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
