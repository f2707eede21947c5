/** A reduced search: the page of documents and the sections of the answer, of all shards together. */
import type { AggregationResults } from "../language/aggregation.ts";
import type { TopDoc, TotalHits, QueryResult } from "../language/results.ts";
import type { PrintedJson } from "../json/printable.ts";

/** A document of the merged page; `shard` is the number under which its result was added. */
export interface MergedDoc extends TopDoc {
  readonly shard: number;
}

export interface ReducedSearch {
  readonly totalHits: TotalHits | undefined;
  /** `NaN` prints as `null`. */
  readonly maxScore: number;
  /** The page: after `from`, at most `size`. Fetch these. */
  readonly docs: readonly MergedDoc[];
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  /** `undefined`: none were asked for. */
  readonly aggregations: AggregationResults | undefined;
  /** Suggestions by name; `undefined`: none were asked for. */
  readonly suggest: { readonly [name: string]: PrintedJson } | undefined;
  /** How many partial reductions happened (`num_reduce_phases` is printed when it is not 1). */
  readonly reducePhases: number;
}

export interface QueryReducer {
  /** Throws what `finish` would throw for any result of a shard, as far as the request alone tells. */
  check(): void;
  /** `shard` numbers the result; ties sort by it. May be called in any order. */
  add(shard: number, result: QueryResult): void;
  /**
   * The final reduction; yields between two results of a bucket, when `isTurnOver` says so. With no result at all: empty hits and
   * empty aggregations.
   */
  finish(isTurnOver: () => boolean): Generator<undefined, ReducedSearch>;
}
