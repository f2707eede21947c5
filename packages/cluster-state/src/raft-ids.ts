/** Node ids to Raft ids. A node keeps its Raft id as long as it keeps its log, and none is given twice. */
import type { NodeId } from "@orrery/stdx";
import type { CoordinationMetadata } from "./types.ts";

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

export function withNewRaftId(
  coordination: CoordinationMetadata,
  nodeId: NodeId,
): CoordinationMetadata {
  const raftIds = new Map(coordination.raftIds);
  raftIds.delete(nodeId);
  return withRaftIds({ ...coordination, raftIds }, [nodeId]);
}
