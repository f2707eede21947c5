/** What a scroll's pages have in common, and how far it is. */
import type { ShardSearchRequest } from "@orrery/protocol";
import type { QueryResult, TopDoc, TotalHits } from "@orrery/query";
import type { JsonObject } from "@orrery/stdx";

export interface ScrollState {
  readonly request: ShardSearchRequest;
  /** Without what is answered once only: aggregations, suggestions. */
  readonly body: JsonObject;
  /** The last document that a page had from here. */
  after: TopDoc | undefined;
  /** Of the first page; later ones do not count. */
  readonly totalHits: TotalHits | undefined;
  readonly maxScore: number;
}

/** After the first page. */
export function startScroll(
  request: ShardSearchRequest,
  body: JsonObject,
  first: QueryResult,
): ScrollState {
  const { aggs: _1, aggregations: _2, suggest: _3, ...rest } = body as Record<string, never>;
  return {
    request,
    body: rest,
    after: undefined,
    totalHits: first.totalHits,
    maxScore: first.maxScore,
  };
}
