/** Runs a search: builds the coordinating node's request from parameters and body, and the response from its result. */
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

/** Index expression, body and kind of a search. */
export interface SearchShape {
  readonly index: string | undefined;
  readonly body: JsonObject;
  /** The body's bytes as sent; valid as long as `body` is unchanged. */
  readonly sent?: SearchRequest["sent"];
  /** Keep-alive when the search opens a scroll. */
  readonly scrollMs?: number | undefined;
}

/** The coordinating node's request. Without a `request` view nothing cancels the search and its bytes are not counted. */
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

/** Runs the search and prints its response. */
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
    // The client does not receive the scroll id, so the scroll is ended here.
    if (found.scrollId !== undefined) await cluster.clearScroll([found.scrollId]);
    throw reductionFailed(error.problem);
  }
}
