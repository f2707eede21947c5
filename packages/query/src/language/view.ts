/** The view of a shard on which a search runs, and the options of one search there. */
import type { LiveDocs, SegmentReader } from "@orrery/segment";
import type { JsonObject } from "@orrery/stdx";
import type { IndexSettings, Mapping } from "./mapping.ts";
import type { QueryLimits } from "./query-limits.ts";
import type { Scripts } from "./script.ts";
import type { Turns } from "../work/steps.ts";
import type { TopDoc } from "./results.ts";

/**
 * One shard at one point in time (Lucene's `IndexReader` with the shard's identity).
 * `TopDoc.segment` is an index of `segments`. Everything in it is only read.
 */
export interface ShardView {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly nodeId: string;
  readonly settings: IndexSettings;
  readonly mapping: Mapping;
  readonly segments: readonly SegmentView[];
}

/** A segment with its live documents. */
export interface SegmentView {
  readonly reader: SegmentReader;
  /** Live documents; `undefined`: all of them. */
  readonly live: LiveDocs | undefined;
}

/** The circumstances of one request on one shard. */
export interface SearchOptions extends Turns {
  /**
   * The value of `now` in date math, in milliseconds of Unix time; the coordinating node decides it
   * once for a request.
   */
  readonly nowMs: number;
  /** Filter of the alias by which the index was named. */
  readonly aliasFilter?: JsonObject | undefined;
  /** Boost from `indices_boost`; default 1. */
  readonly indexBoost?: number | undefined;
  /** Called between batches: true ends the collection with `timedOut`. */
  readonly isTimedOut?: (() => boolean) | undefined;
  /** Last document of the page before, for scrolls: only documents behind it are collected. */
  readonly after?: TopDoc | undefined;
  /** Statistics over all shards (`dfs_query_then_fetch`); default: the shard's own. */
  readonly statistics?: SearchStatistics | undefined;
  /** `search.allow_expensive_queries`; default true. */
  readonly allowExpensiveQueries?: boolean | undefined;
  /** Limits of the node; default: the product's. */
  readonly limits?: QueryLimits | undefined;
  /**
   * Compiler of the shard worker; default: scripts are compiled anew, without a limit of their
   * rate.
   */
  readonly scripts?: Scripts | undefined;
  /** `search.max_buckets`; default 65,535. */
  readonly maxBuckets?: number | undefined;
  /**
   * Number of shards in the whole search, on which sizes of `terms` depend; default: the index's
   * shards.
   */
  readonly totalShards?: number | undefined;
  /** The search opens or continues a scroll, and may use `slice`. */
  readonly isScroll?: boolean | undefined;
  /** The search runs on a point in time, and may use `slice`. */
  readonly isPointInTime?: boolean | undefined;
  /** Position of the shard in the search's list of shards: the upper half of `_shard_doc`. */
  readonly shardIndex?: number | undefined;
  /**
   * The shard's number and the number of shards among which `slice` divides; default: the only one.
   */
  readonly slicing?: { readonly shard: number; readonly shards: number } | undefined;
  /** Hits are not counted: set for pages of a scroll after the first. */
  readonly skipCount?: boolean | undefined;
  /**
   * Hits of the shards before this one in the order of the search. The result leaves out documents
   * and counts that make no difference beside them.
   */
  readonly earlier?: EarlierHits | undefined;
}

/** Hits of other shards of a search that is ordered by score. */
export interface EarlierHits {
  /** Number of the hits, or a number above `track_total_hits`. */
  readonly total: number;
  /** The score above which a document can be on the page; 0: every document can. */
  readonly minScore: number;
}

/** Statistics of terms and fields, added up over shards by `mergeStatistics`. */
export interface SearchStatistics {
  readonly maxDoc: number;
  /** Keys are the field, NUL and the term. */
  readonly terms: Readonly<
    Record<string, { readonly docFreq: number; readonly totalTermFreq: number }>
  >;
  readonly fields: Readonly<
    Record<string, { readonly docCount: number; readonly sumTotalTermFreq: number }>
  >;
}
