/** From a search's parameters and body to the coordinating node's request and its answer as JSON. */
import { indicesOptions, withParameters } from "@orrery/cluster-state";
import type { Cluster, SearchRequest } from "@orrery/node";
import type { JsonObject } from "@orrery/stdx";
import type { RequestView } from "../operation.ts";
import type { IndexTargets, Parsed } from "../parameters.ts";
import { expressionsOf } from "../state-reading.ts";
import { clientOf } from "./client.ts";
import type { SearchExecutionParameters } from "./parameters.ts";
import { totalAsNumber } from "./total-hits.ts";

export interface SearchShape {
  readonly index: string | undefined;
  readonly body: JsonObject;
  /** What came, as long as it is `body`. */
  readonly sent?: SearchRequest["sent"];
  readonly typedKeys: boolean;
  /** The search is the first page of a scroll. */
  readonly scrollMs?: number | undefined;
}

export function searchRequest(
  { index, body, sent, typedKeys, scrollMs }: SearchShape,
  query: Parsed<SearchExecutionParameters> & Partial<Parsed<IndexTargets>>,
  request?: RequestView,
): SearchRequest {
  return {
    indices: expressionsOf(index),
    indicesOptions: withParameters(indicesOptions.strictExpandOpenAndForbidClosed, query),
    body,
    ...(sent === undefined ? {} : { sent }),
    routing: query.routing,
    preference: query.preference,
    searchType: query.search_type,
    allowPartialSearchResults: query.allow_partial_search_results,
    batchedReduceSize: query.batched_reduce_size,
    preFilterShardSize: query.pre_filter_shard_size,
    maxConcurrentShardRequests: query.max_concurrent_shard_requests,
    cancelAfterMs: query.cancel_after_time_interval,
    typedKeys,
    ...(scrollMs === undefined ? {} : { scroll: { keepAliveMs: scrollMs } }),
    ...clientOf(request),
  };
}

export async function runSearch(
  cluster: Cluster,
  request: SearchRequest,
  isTotalNumber: boolean,
): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
  const { body, status } = await cluster.search(request);
  return { status, bytes: isTotalNumber ? totalAsNumber(body) : body };
}
