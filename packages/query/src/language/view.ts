/** The view of a shard that a search runs on, and the options of one search there. */
import type { LiveDocs, SegmentReader } from "@orrery/segment";
import type { JsonObject } from "@orrery/stdx";
import type { IndexSettings, Mapping } from "./mapping.ts";
import type { QueryLimits } from "./query-limits.ts";
import type { Scripts } from "./script.ts";
import type { Turns } from "../work/steps.ts";
import type { TopDoc } from "./results.ts";

/** A point in time of one shard: what a searcher sees. Segments in order; doc values of `segment` count this list. */
export interface ShardView {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly nodeId: string;
  readonly settings: IndexSettings;
  readonly mapping: Mapping;
  readonly segments: readonly SegmentView[];
}

export interface SegmentView {
  readonly reader: SegmentReader;
  /** `undefined`: every document is live. */
  readonly live: LiveDocs | undefined;
}

export interface SearchOptions extends Turns {
  /** For `now` in date math. The coordinating node decides it once per request. */
  readonly nowMs: number;
  /** Filter of the alias through which the index was named. */
  readonly aliasFilter?: JsonObject | undefined;
  /** From `indices_boost`; default 1. */
  readonly indexBoost?: number | undefined;
  /** Called between batches: true ends collection with `timedOut`. */
  readonly isTimedOut?: (() => boolean) | undefined;
  /** Only the documents after this one, in the request's order: scroll. */
  readonly after?: TopDoc | undefined;
  /** Statistics over all shards, for `dfs_query_then_fetch`. */
  readonly statistics?: SearchStatistics | undefined;
  /** `search.allow_expensive_queries`; default true. */
  readonly allowExpensiveQueries?: boolean | undefined;
  /** Of the node; the product's defaults where there are none. */
  readonly limits?: QueryLimits | undefined;
  /** Of the shard worker; without them scripts are compiled anew, at any rate. */
  readonly scripts?: Scripts | undefined;
  /** `search.max_buckets`; default 65535. */
  readonly maxBuckets?: number | undefined;
  /** Shards in the whole search, for the sizes of `terms`; default: the index's shards. */
  readonly totalShards?: number | undefined;
  /** The search opens or continues a scroll; runs on a point in time. They may use `slice`. */
  readonly isScroll?: boolean | undefined;
  readonly isPointInTime?: boolean | undefined;
  /** Position of the shard in the search's list of shards: the upper half of `_shard_doc`. */
  readonly shardIndex?: number | undefined;
  /** Which of how many shards this is, for `slice`; default: the only one. */
  readonly slicing?: { readonly shard: number; readonly shards: number } | undefined;
  /** Do not count hits beyond what the page needs: set for scroll pages after the first. */
  readonly skipCount?: boolean | undefined;
}

/** Term and field statistics, summed over shards by `mergeStatistics`. */
export interface SearchStatistics {
  readonly maxDoc: number;
  /** By `field \0 term`. */
  readonly terms: Readonly<
    Record<string, { readonly docFreq: number; readonly totalTermFreq: number }>
  >;
  readonly fields: Readonly<
    Record<string, { readonly docCount: number; readonly sumTotalTermFreq: number }>
  >;
}
