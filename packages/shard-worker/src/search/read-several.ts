/**
 * Messages for several shards, decoded as one request for each. Decoded messages have defaults on their prototype, so
 * requests are built member by member instead of by a spread.
 */
import {
  FetchPhaseRequests,
  ShardSearchRequest,
  ShardSearchRequests,
  type FetchPhaseRequest,
  type ShardSearchPart,
} from "@orrery/protocol";
import { emptyBytes } from "@orrery/stdx";
import type { Several } from "./several.ts";

/** Requests of a phase before the fetch. */
export interface SeveralSearches extends Several<ShardSearchRequest> {
  /** The parts are the whole search. */
  readonly isWhole: boolean;
  /** Parts that cannot match are left out. */
  readonly preFilter: boolean;
}

/** Requests of a phase before the fetch; body and options are shared. */
export function readSearches(payload: Uint8Array): SeveralSearches {
  const { shared, parts, partOf, whole, preFilter } = ShardSearchRequests.decode(payload);
  const all = shared ?? ShardSearchRequest.decode(emptyBytes);
  const requests = parts.map((part) => searchOf(all, part));
  return { requests, body: all.body, partOf, isWhole: whole, preFilter };
}

function searchOf(all: ShardSearchRequest, part: ShardSearchPart): ShardSearchRequest {
  return {
    index: part.index,
    indexUuid: part.indexUuid,
    shard: part.shard,
    allocationId: part.allocationId,
    body: all.body,
    aliasFilter: part.aliasFilter,
    shardIndex: part.shardIndex,
    nowMs: all.nowMs,
    keepContext: part.keepContext,
    keepAliveMs: part.keepAliveMs,
    contextId: part.contextId,
    fetch: all.fetch,
    countOnly: all.countOnly,
    preference: all.preference,
    searchType: all.searchType,
    isScroll: all.isScroll,
    clusterAlias: all.clusterAlias,
    indexBoost: part.indexBoost,
    statistics: all.statistics,
    timeoutMs: all.timeoutMs,
    isPointInTime: part.isPointInTime,
    sliceShard: part.sliceShard,
    sliceShards: part.sliceShards,
  };
}

/** Decodes fetch-phase requests for several shards, which share the body. */
export function readFetches(payload: Uint8Array): Several<FetchPhaseRequest> {
  const { body, nowMs, statistics, parts, partOf } = FetchPhaseRequests.decode(payload);
  const requests = parts.map(({ indexUuid, shard, contextId, docs, freeContext, aliasFilter }) => ({
    indexUuid,
    shard,
    contextId,
    body,
    docs,
    freeContext,
    nowMs,
    aliasFilter,
    statistics,
  }));
  return { requests, body, partOf };
}
