/**
 * Assignment of Raft ids to nodes. A node keeps its Raft id as long as it keeps its log; ids are never reused, because a
 * late message or vote under a reused id would count for another log.
 */
import type { NodeId } from "@orrery/stdx";
import type { CoordinationMetadata } from "./types.ts";

/** Coordination metadata with ids for those of the nodes that have none; the same object when all have one. */
export function withRaftIds(
  coordination: CoordinationMetadata,
  nodeIds: readonly NodeId[],
): CoordinationMetadata {
  const missing = nodeIds.filter((id) => !coordination.raftIds.has(id));
  if (missing.length === 0) return coordination;
  const raftIds = new Map(coordination.raftIds);
  let { nextRaftId } = coordination;
  for (const id of missing) {
    raftIds.set(id, nextRaftId);
    nextRaftId += 1;
  }
  return { ...coordination, raftIds, nextRaftId };
}

/** Coordination metadata with a new id for the node, in place of the one whose log it lost. */
export function withNewRaftId(
  coordination: CoordinationMetadata,
  nodeId: NodeId,
): CoordinationMetadata {
  const raftIds = new Map(coordination.raftIds);
  raftIds.delete(nodeId);
  return withRaftIds({ ...coordination, raftIds }, [nodeId]);
}
