/**
 * Targets of a search in a point in time: each shard is searched in its context, on the node of that context, without
 * retries on other copies.
 */
import { copiesOf, type ClusterState, type IndexMetadata } from "@orrery/cluster-state";
import type { PointInTime } from "@orrery/query";
import { OperationError, type AllocationId } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import type { SearchRequest } from "../types.ts";
import { decodePitId, type PitShard } from "./pit-id.ts";
import { inOrder, indexBoosts, refuseBlocked, type SearchTarget } from "./targets.ts";

/**
 * The targets in the order of a search. Throws when the id is malformed, or an index of the point in time is deleted,
 * closed or blocked for reads.
 */
export function pitTargets(
  deps: CoordinatorDeps,
  request: SearchRequest,
  { id, keepAliveMs }: PointInTime,
): readonly SearchTarget[] {
  const state = deps.state();
  refuseBlocked(state);
  const { shards, filters } = decodePitId(id);
  const boosts = indexBoosts(deps, request);
  return inOrder(
    shards.map((one) => ({
      index: openIndex(state, one),
      shard: one.shard,
      copies: [copyWithContext(state, one)],
      aliasFilter: filters.get(one.indexUuid)?.filter,
      indexBoost: boosts.get(one.index) ?? 1,
      contextId: one.contextId,
      ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
    })),
  );
}

function openIndex(state: ClusterState, { index, indexUuid }: PitShard): IndexMetadata {
  const metadata = state.metadata.indices.get(index);
  const where = { index, index_uuid: indexUuid };
  if (metadata?.uuid !== indexUuid) {
    throw new OperationError({
      type: "index_not_found_exception",
      reason: `no such index [${index}]`,
      status: 404,
      metadata: where,
    });
  }
  if (metadata.state !== "open") {
    throw new OperationError({
      type: "index_closed_exception",
      reason: "closed",
      status: 400,
      metadata: where,
    });
  }
  refuseBlocked(state, index);
  return metadata;
}

/** The copy on which the context was opened. It may have been moved since; its node then answers that the context is missing. */
function copyWithContext(
  state: ClusterState,
  { index, shard, nodeId }: PitShard,
): SearchTarget["copies"][0] {
  const known = copiesOf(state, index, shard).find((copy) => copy.nodeId === nodeId);
  return {
    index,
    shard,
    primary: known?.primary === true,
    state: "STARTED",
    nodeId,
    relocatingNodeId: undefined,
    allocationId: known?.allocationId ?? ("" as AllocationId),
    relocationId: undefined,
    recoverySource: undefined,
    unassignedInfo: undefined,
  };
}
