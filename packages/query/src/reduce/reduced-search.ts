/** A reduced search: the merged page and the sections of the response, over all shards. */
import type { AggregationResults } from "../language/aggregation.ts";
import type { TopDoc, TotalHits, QueryResult } from "../language/results.ts";
import type { PrintedJson } from "../json/printable.ts";

/**
 * A document of the merged page; `shard` is the number under which its shard's result was added.
 */
export interface MergedDoc extends TopDoc {
  readonly shard: number;
}

/** The result of a reduction. */
export interface ReducedSearch {
  /** Number of hits over all shards; `undefined`: they were not counted. */
  readonly totalHits: TotalHits | undefined;
  /** The best score of the hits; NaN, which prints as `null`: there is none. */
  readonly maxScore: number;
  /** The page, after `from`, at most `size` documents, whose hits the coordinating node fetches. */
  readonly docs: readonly MergedDoc[];
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  /** Reduced aggregations; `undefined`: the request has none. */
  readonly aggregations: AggregationResults | undefined;
  /** Suggestions by name; `undefined`: the request has none. */
  readonly suggest: { readonly [name: string]: PrintedJson } | undefined;
  /** Number of reductions, printed as `num_reduce_phases` if it is not 1. */
  readonly reducePhases: number;
}

/** Collects the results of shards and reduces them once. */
export interface QueryReducer {
  /**
   * Throws now what `finish` would throw for any results, as far as the request alone decides it.
   */
  check(): void;
  /**
   * Adds the result of a shard, in any order. `shard` numbers it; equal documents are ordered by
   * it.
   */
  add(shard: number, result: QueryResult): void;
  /**
   * The final reduction; yields between results of a bucket when `isTurnOver` says so. Without any
   * result hits and aggregations are empty.
   */
  finish(isTurnOver: () => boolean): Generator<undefined, ReducedSearch>;
}
