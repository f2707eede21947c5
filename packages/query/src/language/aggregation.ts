/**
 * The frame of aggregations, as OpenSearch's `Aggregator` and `InternalAggregation`. An aggregation
 * is parsed from its JSON, collects batches of documents on each shard, leaves one partial result
 * per bucket of its parent as plain data, is reduced over all shards on the coordinating node, and
 * renders itself.
 *
 * Collecting works on columns: a batch holds documents and the bucket of each. A bucket aggregation
 * maps every pair of document and parent's bucket to buckets of its own and passes the batch on to
 * its sub-aggregations, so that any depth runs in one pass.
 */
import type { Cursor } from "./cursor.ts";
import type { BuildContext } from "./query.ts";
import type { Budget } from "../work/budget.ts";
import type { Plan } from "./plan.ts";
import type { SegmentContext } from "./searcher.ts";
import type { JsonObject } from "@orrery/stdx";
import type { Hit } from "./hits.ts";
import type { Plain } from "../json/plain.ts";
import type { Printable } from "../json/printable.ts";
import type { Scripts } from "./script.ts";
import type { SearchOptions } from "./view.ts";
import type { TopDoc } from "./results.ts";

/** Aggregations that stand beside each other: of a request, or below one bucket aggregation. */
export type AggregationTree = readonly Aggregation[];

/**
 * One aggregation of a request. `Shape` is the type of its partials; outside of its definition they
 * are plain data of unknown shape.
 */
export interface Aggregation<Shape = Plain> {
  readonly name: string;
  /** The type in the request: `terms`. */
  readonly type: string;
  /** The request's `meta`, printed with the result. */
  readonly meta: Printable | undefined;
  /** Sub-aggregations, pipelines after those that they read. */
  readonly children: AggregationTree;
  /** Whether the aggregation, or a sub-aggregation at any depth, reads scores of documents. */
  readonly needsScores: boolean;
  /**
   * Number of buckets, if the request alone decides it: one for each range or filter; absent: it
   * depends on documents, or there are no buckets.
   */
  readonly bucketCount?: number;
  /**
   * Creates the aggregator of one shard.
   * @throws OperationError a shard failure: the mapping or a limit does not allow the aggregation
   */
  create(context: AggregationContext): Aggregator<Shape>;
  /**
   * Merges partials, which are in the order of their shards, into one; no partials give an empty
   * result. May yield between buckets.
   */
  reduce(partials: readonly Shape[], context: ReduceContext): Generator<undefined, Shape>;
  /** The members of the reduced aggregation in the response, without `meta`. */
  render(reduced: Shape, options: RenderOptions): { readonly [key: string]: Printable };
  /** The type with `typed_keys`: `sterms` in `sterms#name`. */
  typedName(reduced: Shape): string;
  /**
   * A number of the result, for orders and pipelines. `undefined` as property asks for the only
   * number; `NaN`: there is none. Absent: the aggregation has no numbers.
   */
  metric?(reduced: Shape, property: string | undefined): number;
  /**
   * The buckets of a reduced aggregation, for sibling pipelines; absent for aggregations without
   * buckets.
   */
  bucketsOf?(reduced: Shape): readonly PipelineBucket[];
  /**
   * Present in histograms: whether their buckets include the empty ones (`whole`), as pipelines
   * that compare successive buckets require.
   */
  readonly series?: "whole" | "gapped";
  /** The bucket of an aggregation that has exactly one, for paths that lead through it. */
  bucketOf?(reduced: Shape): SingleBucket;
  /** Present in pipeline aggregations: computed from reduced aggregations instead of documents. */
  readonly pipeline?: Pipeline<Shape>;
}

/**
 * A pipeline aggregation reads other aggregations' results: a sibling those beside it, a parent
 * pipeline the buckets of the aggregation that it stands in.
 */
export type Pipeline<Shape = Plain> =
  | {
      readonly kind: "sibling";
      /** The paths that it reads (`buckets_path`), which are checked when the request is parsed. */
      readonly paths: readonly string[];
      /** The pipeline's result, computed from the reduced aggregations beside it. */
      compute(tree: AggregationTree, reduced: readonly Plain[]): Shape;
    }
  | {
      readonly kind: "parent";
      readonly paths: readonly string[];
      /**
       * The reason why it cannot stand in `parent` (`undefined`: at the top), in the product's
       * words; `undefined`: it can. Absent: it can stand anywhere.
       */
      complaint?(parent: Aggregation | undefined): string | undefined;
      /** Adds its result to the buckets' children, or removes or reorders buckets. */
      apply<Bucket extends OpenBucket>(buckets: readonly Bucket[], place: PipelinePlace): Bucket[];
    };

/** Document count of a bucket, and results of the sub-aggregations in their order. */
export interface SingleBucket {
  readonly count: number;
  readonly children: readonly Plain[];
}

/** A bucket with its key. */
export interface PipelineBucket extends SingleBucket {
  readonly key: string | number | bigint | boolean;
  /** The key as text, as `keys` of `max_bucket` print it. */
  readonly keyText: string;
}

/** A bucket whose results are still being completed by pipelines. */
export interface OpenBucket extends PipelineBucket {
  readonly children: Plain[];
}

/** The position of a parent pipeline. */
export interface PipelinePlace {
  readonly scripts: Scripts;
  /** The pipeline and its siblings: the sub-aggregations of the parent. */
  readonly tree: AggregationTree;
  /** Index of the pipeline in `tree`, and of its result among a bucket's children. */
  readonly index: number;
}

/** The shard on which an aggregation collects. */
export interface AggregationContext {
  readonly build: BuildContext;
  readonly options: SearchOptions;
  /** Filters of the alias and of the slice, which hold for documents outside of the query, too. */
  readonly filters: readonly Plan[];
  /** The budget of the request, to which buckets, values and partials are charged. */
  readonly budget: Budget;
  /**
   * Plans of filters and backgrounds, to be registered here: their patterns are expanded in steps
   * before documents are collected.
   */
  readonly plans: Plan[];
  /** Number of shards in the whole search. */
  readonly totalShards: number;
  /** Scores of the documents in the current batch, for scripts. */
  readonly scores: { of(doc: number): number };
  /** Runs the fetch phase on documents of this shard, for `top_hits`. */
  readonly fetchHits: FetchHits;
}

/** Fetches the hits of documents with the options of a request body. */
export type FetchHits = (docs: readonly TopDoc[], request: JsonObject) => readonly Hit[];

/** The state of an aggregation on one shard. */
export interface Aggregator<Shape = Plain> {
  /** Called once for each segment, in order, before its first batch. */
  open(segment: SegmentContext): LeafCollector;
  /**
   * The partial of one bucket of the parent, after all segments. The parent numbers its buckets
   * from 0; at the top there is only bucket 0.
   */
  partial(bucket: number): Shape;
  /** A number of one bucket, for ordering buckets on the shard; see `Aggregation.metric`. */
  metric?(bucket: number, property: string | undefined): number;
}

/** The collector of one segment (Lucene's `LeafBucketCollector`, by batches). */
export interface LeafCollector {
  /**
   * Collects `docs[0..count)`; `buckets[i]` is the parent's bucket of `docs[i]`, `undefined`: all
   * are in bucket 0. Documents ascend within a segment, unless a parent with several values repeats
   * them. The arrays belong to the caller and change after the call.
   */
  collect(
    docs: Int32Array,
    buckets: Int32Array | undefined,
    count: number,
    scores: Float32Array | undefined,
  ): void;
  /**
   * Collects all documents of [first, end) into one bucket, where scores are not read. `undefined`:
   * they are passed to `collect`.
   */
  readonly collectRun?: ((first: number, end: number, bucket: number) => void) | undefined;
}

/** A reduction on the coordinating node. */
export interface ReduceContext {
  /**
   * True for the last reduction, which cuts buckets to size, fills gaps and runs pipelines; an
   * earlier one must leave all that a later one needs.
   */
  readonly isFinal: boolean;
  /** The limit `search.max_buckets`. */
  readonly maxBuckets: number;
  /** Whether the reduction should yield, so that other work of the node can run. */
  readonly isTurnOver: () => boolean;
  readonly scripts: Scripts;
  /**
   * Counts buckets of the final result.
   * @throws OperationError 503 `too_many_buckets_exception` beyond `maxBuckets`
   */
  addBuckets(count: number): void;
}

/** Whether names are printed with their types (`typed_keys`). */
export interface RenderOptions {
  readonly typedKeys: boolean;
}

/** The members that all aggregations have, parsed before the body of the type. */
export interface AggregationHead {
  readonly name: string;
  readonly type: string;
  readonly meta: Printable | undefined;
  readonly children: AggregationTree;
}

/**
 * Parses the body of one type; sub-aggregations are in the head.
 * @throws OperationError 400
 */
export type ParseAggregation = (head: AggregationHead, at: Cursor) => Aggregation;

/** The aggregations of a search, reduced over all shards. */
export interface AggregationResults {
  /**
   * The members by name, with `typedKeys` by type and name. Lists of buckets are built while they
   * are printed.
   */
  render(options: { readonly typedKeys: boolean }): { readonly [name: string]: Printable };
}
