/**
 * The stores of a shard on the disks of all data nodes, as the allocator requests them
 * (`TransportNodesListGatewayStartedShards`).
 */
import { isDataNode, type ClusterState } from "@orrery/cluster-state";
import type { Transport } from "@orrery/ports";
import { actions, StoredShardRequest, StoredShardResponse } from "@orrery/protocol";
import { problemOf, type IndexUuid, type NodeId, type Problem } from "@orrery/stdx";

/** The address of a shard: its index by name and uuid, and its number. */
export interface ShardPlace {
  readonly index: string;
  readonly uuid: IndexUuid;
  readonly shard: number;
}

/** The answers, and the nodes that failed. */
export interface ShardStoresOfNodes {
  readonly stores: readonly {
    readonly nodeId: NodeId;
    readonly allocationId: string;
    /** `type: reason` of why the store cannot be opened; empty when it can. */
    readonly storeException: string;
  }[];
  readonly failures: readonly { readonly nodeId: NodeId; readonly problem: Problem }[];
}

const TIMEOUT_MS = 30_000;

/** Asks all data nodes for their store of a shard; nodes without one are left out of the answers. */
export async function shardStores(
  transport: Transport,
  state: ClusterState,
  { index, uuid, shard }: ShardPlace,
): Promise<ShardStoresOfNodes> {
  const request = StoredShardRequest.encode({ index, indexUuid: uuid, shard }).finish();
  const nodeIds = [...state.nodes.values()].filter(isDataNode).map(({ id }) => id);
  const answers = nodeIds.map(async (nodeId) => {
    const options = { timeoutMs: TIMEOUT_MS };
    const bytes = await transport.request(nodeId, actions.storedShard, request, options);
    return StoredShardResponse.decode(bytes);
  });
  const stores: ShardStoresOfNodes["stores"][number][] = [];
  const failures: ShardStoresOfNodes["failures"][number][] = [];
  for (const [i, answer] of (await Promise.allSettled(answers)).entries()) {
    const nodeId = nodeIds[i];
    if (nodeId === undefined) continue;
    if (answer.status === "rejected") failures.push({ nodeId, problem: problemOf(answer.reason) });
    else if (answer.value.exists) {
      const { allocationId, storeException } = answer.value;
      stores.push({ nodeId, allocationId, storeException });
    }
  }
  return { stores, failures };
}
