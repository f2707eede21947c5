/**
 * The frame of aggregations. One is parsed from its JSON, collects batches of documents on each shard, leaves a partial as
 * plain data, is reduced with the others, and prints itself.
 *
 * Collecting works on columns: a batch is documents and the bucket each belongs to. A bucket aggregation maps every pair to
 * one of its own buckets and hands the batch on to its sub-aggregations.
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

export type AggregationTree = readonly Aggregation[];

/** `Shape`: of its partials, which are plain data of an unknown shape outside of its definition. */
export interface Aggregation<Shape = Plain> {
  readonly name: string;
  /** As in the request: `terms`. */
  readonly type: string;
  readonly meta: Printable | undefined;
  readonly children: AggregationTree;
  readonly needsScores: boolean;
  /** How many buckets it has whatever the documents are: one for each range or filter of the request. */
  readonly bucketCount?: number;
  create(context: AggregationContext): Aggregator<Shape>;
  /** One partial of several; also of none, for an empty result. In steps: see `reduceChildren`. */
  reduce(partials: readonly Shape[], context: ReduceContext): Generator<undefined, Shape>;
  /** The finished aggregation's members, without `meta`. */
  render(reduced: Shape, options: RenderOptions): { readonly [key: string]: Printable };
  /** `sterms` in `sterms#name`. */
  typedName(reduced: Shape): string;
  /** A number to order by: `undefined` property is the only value. `NaN`: none. */
  metric?(reduced: Shape, property: string | undefined): number;
  /** The buckets of a reduced aggregation, for pipelines beside it. */
  bucketsOf?(reduced: Shape): readonly PipelineBucket[];
  /** Of histograms: whether empty buckets are among theirs, which pipelines inside need. */
  readonly series?: "whole" | "gapped";
  /** The bucket of an aggregation that has one alone, for paths that lead through it. */
  bucketOf?(reduced: Shape): SingleBucket;
  /** Runs once more over the reduced siblings: pipeline aggregations. */
  readonly pipeline?: Pipeline<Shape>;
}

/** Computes from other aggregations' results: siblings read the tree beside them, parents their parent's buckets. */
export type Pipeline<Shape = Plain> =
  | {
      readonly kind: "sibling";
      /** Every path it reads, for checking. */
      readonly paths: readonly string[];
      compute(tree: AggregationTree, reduced: readonly Plain[]): Shape;
    }
  | {
      readonly kind: "parent";
      readonly paths: readonly string[];
      /** Why it cannot stand there; `undefined` as parent: at the top. Absent: it can stand anywhere. */
      complaint?(parent: Aggregation | undefined): string | undefined;
      /** Puts this pipeline's result among the buckets' children, or gives fewer of them, or another order. */
      apply<Bucket extends OpenBucket>(buckets: readonly Bucket[], place: PipelinePlace): Bucket[];
    };

export interface SingleBucket {
  readonly count: number;
  readonly children: readonly Plain[];
}

export interface PipelineBucket extends SingleBucket {
  readonly key: string | number | bigint | boolean;
  /** As `keys` of `max_bucket` print it. */
  readonly keyText: string;
}

/** A bucket whose results are still being completed. */
export interface OpenBucket extends PipelineBucket {
  readonly children: Plain[];
}

export interface PipelinePlace {
  readonly scripts: Scripts;
  /** The pipeline and its siblings: the sub-aggregations of the parent. */
  readonly tree: AggregationTree;
  readonly index: number;
}

export interface AggregationContext {
  readonly build: BuildContext;
  readonly options: SearchOptions;
  /** Of the request: buckets, values and partial results are taken from it. */
  readonly budget: Budget;
  /** Of filters and backgrounds: what their patterns stand for is looked for in steps, before documents are collected. */
  readonly plans: Plan[];
  /** Shards in the whole search. */
  readonly totalShards: number;
  /** Of the documents that are collected at the moment. */
  readonly scores: { of(doc: number): number };
  /** Runs a plan over everything, for `global`. */
  readonly fetchHits: FetchHits;
}

/** For `top_hits`. */
export type FetchHits = (docs: readonly TopDoc[], request: JsonObject) => readonly Hit[];

export interface Aggregator<Shape = Plain> {
  /** Called before the first batch of each segment. */
  open(segment: SegmentContext): LeafCollector;
  /** After all segments. Buckets are numbered from 0 by whoever owns this; 0 alone at the top. */
  partial(bucket: number): Shape;
  /** For ordering on the shard; see `Aggregation.metric`. */
  metric?(bucket: number, property: string | undefined): number;
}

export interface LeafCollector {
  /**
   * `buckets[i]` is the bucket of `docs[i]`; `undefined`: all in bucket 0. Documents ascend within a segment unless a
   * multi-valued parent repeats them. The arrays are the caller's and change after the call.
   */
  collect(
    docs: Int32Array,
    buckets: Int32Array | undefined,
    count: number,
    scores: Float32Array | undefined,
  ): void;
  /**
   * The same for all documents of [first, end), which are of one bucket, where scores are not needed. `undefined`: hand them over as
   * others.
   */
  readonly collectRun?: ((first: number, end: number, bucket: number) => void) | undefined;
}

export interface ReduceContext {
  /** The last reduction: buckets are cut to size, gaps filled, pipelines run. */
  readonly isFinal: boolean;
  readonly maxBuckets: number;
  readonly isTurnOver: () => boolean;
  readonly scripts: Scripts;
  /** Counts buckets of the final result; throws beyond the limit. */
  addBuckets(count: number): void;
}

export interface RenderOptions {
  readonly typedKeys: boolean;
}

/** What every type's parser gets. */
export interface AggregationHead {
  readonly name: string;
  readonly type: string;
  readonly meta: Printable | undefined;
  readonly children: AggregationTree;
}

/** Reads the body of one aggregation, whose sub-aggregations have been read. */
export type ParseAggregation = (head: AggregationHead, at: Cursor) => Aggregation;

/** Aggregations of all shards, reduced. */
export interface AggregationResults {
  /** By name, and with `typedKeys` by type and name. Lists of buckets are made as they are printed. */
  render(options: { readonly typedKeys: boolean }): { readonly [name: string]: Printable };
}
