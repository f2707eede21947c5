/** The state of a scroll on one copy, between two pages. */
import type { ShardSearchRequest } from "@orrery/protocol";
import type { QueryResult, TopDoc, TotalHits } from "@orrery/query";
import type { JsonObject } from "@orrery/stdx";

/** The state of a scroll between two pages. */
export interface ScrollState {
  readonly request: ShardSearchRequest;
  /** Without aggregations and suggestions, which the first page alone has. */
  readonly body: JsonObject;
  /** The last document of this copy that a page had. */
  after: TopDoc | undefined;
  /** The total hits of the first page, which later pages repeat. */
  readonly totalHits: TotalHits | undefined;
  readonly maxScore: number;
}

/** The state of a scroll after its first page. */
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
