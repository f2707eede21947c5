/** A cluster state with one index whose copies a test places. */
import {
  coreRules,
  applyTask,
  completeIndexSettings,
  initialState,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { AllocationId, IndexUuid, NodeId } from "@orrery/stdx";

/** `books`, with the primary of shard n started on `nodes[n]`. */
export function stateWith(nodes: readonly NodeId[], version = 1): ClusterState {
  const uuid = "books-uuid" as IndexUuid;
  const index = { name: "books", uuid, creationDateMs: 0 };
  const before = initialState("orrery");
  const requested = { "index.number_of_shards": String(nodes.length) };
  const settings = completeIndexSettings(before, { ...index, requested });
  const outcome = applyTask(
    before,
    {
      kind: "create-index",
      ...index,
      settings,
      mapping: {},
      aliases: {},
    },
    coreRules,
  );
  if (outcome.kind !== "updated") throw new Error(JSON.stringify(outcome));
  const shards = nodes.map((nodeId, shard) => [startedOn(nodeId, shard)]);
  const table = { index: "books", uuid, shards };
  return { ...outcome.state, version, routingTable: new Map([["books", table]]) };
}

function startedOn(nodeId: NodeId, shard: number): ShardRouting {
  return {
    index: "books",
    shard,
    primary: true,
    state: "STARTED",
    nodeId,
    relocatingNodeId: undefined,
    allocationId: `allocation-${shard}` as AllocationId,
    relocationId: undefined,
    recoverySource: undefined,
    unassignedInfo: undefined,
  };
}
