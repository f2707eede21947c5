/** From a search's parameters and body to the coordinating node's request, and to the members of its answer. */
import { indicesOptions, withParameters } from "@orrery/cluster-state";
import { reductionFailed, type Cluster, type SearchRequest } from "@orrery/node";
import { OperationError, type JsonObject } from "@orrery/stdx";
import type { PrintableObject } from "../json/printable.ts";
import type { RequestView } from "../operation.ts";
import type { IndexTargets, Parsed } from "../parameters.ts";
import { expressionsOf } from "../state-reading.ts";
import { clientOf } from "./client.ts";
import type { SearchExecutionParameters } from "./parameters.ts";
import { searchAnswer, type AnswerShape } from "./print.ts";

export interface SearchShape {
  readonly index: string | undefined;
  readonly body: JsonObject;
  /** What came, as long as it is `body`. */
  readonly sent?: SearchRequest["sent"];
  /** The search is the first page of a scroll. */
  readonly scrollMs?: number | undefined;
}

export function searchRequest(
  { index, body, sent, scrollMs }: SearchShape,
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
    ...(scrollMs === undefined ? {} : { scroll: { keepAliveMs: scrollMs } }),
    ...clientOf(request),
  };
}

export async function runSearch(
  cluster: Cluster,
  request: SearchRequest,
  shape: AnswerShape,
): Promise<PrintableObject> {
  const found = await cluster.search(request);
  try {
    return await searchAnswer(cluster, found, shape);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // The client never learns of the scroll.
    if (found.scrollId !== undefined) await cluster.clearScroll([found.scrollId]);
    throw reductionFailed(error.problem);
  }
}
