/**
 * The explanation of a copy's place: the body of `_cluster/allocation/explain`
 * (`TransportClusterAllocationExplainAction`). Throws `OperationError`.
 */
import {
  copiesOf,
  formatInstant,
  type ClusterState,
  type DiscoveryNode,
  type ShardRouting,
  type UnassignedInfo,
} from "@orrery/cluster-state";
import { fail, illegalArgument, type JsonObject } from "@orrery/stdx";
import { createAllocation, type Allocation } from "./allocation.ts";
import { decideUnassigned } from "./balancer/allocate-unassigned.ts";
import { createModel } from "./balancer/model.ts";
import { decideMove } from "./balancer/move-shards.ts";
import { decideRebalance } from "./balancer/rebalance.ts";
import { printClusterInfo } from "./cluster-info.ts";
import { decideExisting } from "./existing/allocate.ts";
import { indexNotRouted } from "./index-not-routed.ts";
import { printMove, printNode, printRebalance, printUnassigned } from "./print-decision.ts";
import { resolveNode } from "./resolve-node.ts";
import type { AllocationInputs, ExplainOptions, ExplainRequest } from "./types.ts";
import { fromStatus } from "./unassigned-decision.ts";

const plain: ExplainOptions = { includeYesDecisions: false, includeDiskInfo: false };

/** Explains the requested copy, by default the first unassigned one. The round is discarded, so nothing changes. */
export function explain(
  state: ClusterState,
  inputs: AllocationInputs,
  request?: ExplainRequest,
  options: ExplainOptions = plain,
): JsonObject {
  const allocation = createAllocation(state, inputs);
  allocation.explains = true;
  const copy =
    request === undefined
      ? firstUnassigned(allocation, options)
      : requested(state, request, options);
  const node = copy.nodeId === undefined ? undefined : state.nodes.get(copy.nodeId);
  const { ranking, body } = decisionOf(allocation, copy, node, options.includeYesDecisions);
  return {
    index: copy.index,
    shard: copy.shard,
    primary: copy.primary,
    current_state: copy.state.toLowerCase(),
    ...(copy.unassignedInfo === undefined
      ? {}
      : { unassigned_info: printInfo(copy.unassignedInfo) }),
    ...(node === undefined
      ? {}
      : {
          current_node: {
            ...printNode(node),
            ...(ranking === undefined ? {} : { weight_ranking: ranking }),
          },
        }),
    ...(options.includeDiskInfo ? { cluster_info: printClusterInfo(allocation) } : {}),
    ...body,
  };
}

function firstUnassigned({ routing }: Allocation, options: ExplainOptions): ShardRouting {
  const [first] = routing.unassigned;
  if (first !== undefined) return first;
  throw illegalArgument(
    `unable to find any unassigned shards to explain [ClusterAllocationExplainRequest[useAnyUnassignedShard=true,includeYesDecisions?=${options.includeYesDecisions}]`,
  );
}

function requested(
  state: ClusterState,
  request: ExplainRequest,
  options: ExplainOptions,
): ShardRouting {
  if (!state.routingTable.has(request.index)) fail(indexNotRouted(request.index));
  const copies = copiesOf(state, request.index, request.shard);
  if (copies.length === 0) {
    const uuid = state.metadata.indices.get(request.index)?.uuid ?? "_na_";
    fail({
      type: "shard_not_found_exception",
      reason: "no such shard",
      status: 404,
      metadata: { index: request.index, shard: String(request.shard), index_uuid: uuid },
    });
  }
  const found = request.primary
    ? primaryFor(state, copies, request)
    : replicaFor(state, copies, request);
  if (found !== undefined) return found;
  throw illegalArgument(
    `unable to find any shards to explain [${printRequest(request, options)}] in the routing table`,
  );
}

function printRequest(request: ExplainRequest, options: ExplainOptions): string {
  const current = request.currentNode === undefined ? "" : `,currentNode=${request.currentNode}`;
  return `ClusterAllocationExplainRequest[index=${request.index},shard=${request.shard},primary?=${request.primary}${current},includeYesDecisions?=${options.includeYesDecisions}`;
}

function primaryFor(
  state: ClusterState,
  copies: readonly ShardRouting[],
  { currentNode }: ExplainRequest,
): ShardRouting | undefined {
  const primary = copies.find((copy) => copy.primary);
  if (currentNode === undefined || primary?.nodeId === resolveNode(state, currentNode).id) {
    return primary;
  }
  throw illegalArgument(`unable to find primary shard assigned to node [${currentNode}]`);
}

/** An unassigned replica is preferred to a started one, that to a moving one. */
function replicaFor(
  state: ClusterState,
  copies: readonly ShardRouting[],
  { currentNode }: ExplainRequest,
): ShardRouting | undefined {
  const replicas = copies.filter((copy) => !copy.primary);
  if (currentNode !== undefined) return replicaOn(state, replicas, currentNode);
  const unassigned = replicas.find((copy) => copy.state === "UNASSIGNED");
  if (unassigned !== undefined) return unassigned;
  return replicas.find((copy) => copy.state === "STARTED") ?? replicas[0];
}

function replicaOn(
  state: ClusterState,
  replicas: readonly ShardRouting[],
  currentNode: string,
): ShardRouting {
  const { id } = resolveNode(state, currentNode);
  const found = replicas.find(({ nodeId }) => nodeId === id);
  if (found !== undefined) return found;
  throw illegalArgument(`unable to find a replica shard assigned to node [${currentNode}]`);
}

function printInfo(info: UnassignedInfo): JsonObject {
  return {
    reason: info.reason,
    at: formatInstant(info.atMs),
    ...(info.failedAllocations > 0 ? { failed_allocation_attempts: info.failedAllocations } : {}),
    ...(info.details === undefined ? {} : { details: info.details }),
    last_allocation_status: fromStatus(info.lastAllocationStatus),
  };
}

interface Explained {
  readonly ranking?: number | undefined;
  readonly body: JsonObject;
}

function decisionOf(
  allocation: Allocation,
  copy: ShardRouting,
  node: DiscoveryNode | undefined,
  includeYes: boolean,
): Explained {
  if (copy.state === "UNASSIGNED") {
    const made =
      decideExisting(allocation, copy) ?? decideUnassigned(createModel(allocation), copy);
    return { body: printUnassigned(made, includeYes) };
  }
  const name = node?.name ?? "";
  if (copy.state === "INITIALIZING") {
    const explanation = `the shard is in the process of initializing on node [${name}], wait until initialization has completed`;
    return { body: { explanation } };
  }
  if (copy.state === "RELOCATING") {
    const target = copy.relocatingNodeId;
    const targetName = target === undefined ? "" : allocation.state.nodes.get(target)?.name;
    const explanation = `the shard is in the process of relocating from node [${name}] to node [${targetName}], wait until relocation has completed`;
    return { body: { explanation } };
  }
  return explainStarted(allocation, copy, includeYes);
}

function explainStarted(
  allocation: Allocation,
  copy: ShardRouting,
  includeYes: boolean,
): Explained {
  const model = createModel(allocation);
  const move = decideMove(model, copy);
  if (move === undefined) return { body: {} };
  if (move.canRemain.type === "NO") return { body: printMove(move, includeYes) };
  const made = decideRebalance(model, copy);
  if (made === undefined) return { body: {} };
  return { ranking: made.currentRanking, body: printRebalance(made, includeYes) };
}
