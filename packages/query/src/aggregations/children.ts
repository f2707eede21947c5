/**
 * A level of the tree as a whole: the aggregations at the top of a request, or below one bucket
 * aggregation. Collects them together, keeps their partials in order, reduces and renders them.
 * Source: OpenSearch's `AggregatorFactories` and `InternalAggregations`.
 */
import { setKey } from "@orrery/stdx";
import type { Plain } from "../json/plain.ts";
import type { Printable } from "../json/printable.ts";
import type { Budget } from "../work/budget.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { applyPipelines } from "./pipeline/apply.ts";
import type {
  Aggregation,
  AggregationContext,
  AggregationTree,
  Aggregator,
  LeafCollector,
  ReduceContext,
  RenderOptions,
} from "../language/aggregation.ts";

/** The aggregators of one level on a shard. */
export interface Children {
  readonly tree: AggregationTree;
  readonly budget: Budget;
  /**
   * Estimated memory of a bucket: its key, its count, and an entry in the columns of each
   * sub-aggregation.
   */
  readonly bucketBytes: number;
  readonly isEmpty: boolean;
  open(segment: SegmentContext): LeafCollector;
  /** The partials of one bucket, one for each aggregation, in order. */
  partials(bucket: number): Plain[];
  /** The aggregation of this name with its state; `undefined` if there is none. */
  aggregator(
    name: string,
  ): { readonly aggregation: Aggregation; readonly aggregator: Aggregator } | undefined;
}

/** Bytes of a bucket, and of its entry in a sub-aggregation's columns. */
const BUCKET_BYTES = 64;
const COLUMN_BYTES = 48;

/**
 * Estimated cost of a bucket, or of one result in it, over its whole way: it is built here,
 * encoded, decoded by the coordinating node, reduced and printed.
 */
const PARTIAL_BYTES = 256;
const PARTIAL_STEPS = 20;

/** Creates the aggregators; every batch is charged to the budget once for each of them. */
export function createChildren(tree: AggregationTree, context: AggregationContext): Children {
  const { budget } = context;
  const aggregators = tree.map((aggregation) => aggregation.create(context));
  return {
    tree,
    budget,
    bucketBytes: BUCKET_BYTES + tree.length * COLUMN_BYTES,
    isEmpty: tree.length === 0,
    open: (segment) => {
      const leaves = aggregators.map((aggregator) => aggregator.open(segment));
      return {
        collectRun: runCollector(leaves, budget),
        collect: (docs, buckets, count, scores) => {
          for (const leaf of leaves) {
            budget.step(count);
            leaf.collect(docs, buckets, count, scores);
          }
        },
      };
    },
    partials: (bucket) => {
      budget.step((1 + tree.length) * PARTIAL_STEPS);
      budget.hold((1 + tree.length) * PARTIAL_BYTES);
      return aggregators.map((aggregator) => aggregator.partial(bucket));
    },
    aggregator: (name) => {
      const i = tree.findIndex((aggregation) => aggregation.name === name);
      const aggregation = tree[i];
      const aggregator = aggregators[i];
      return aggregation === undefined || aggregator === undefined
        ? undefined
        : { aggregation, aggregator };
    },
  };
}

/**
 * The collector of runs for all aggregations; `undefined` unless each has one, because documents
 * are passed to all of them in the same way.
 */
function runCollector(
  leaves: readonly LeafCollector[],
  budget: Budget,
): LeafCollector["collectRun"] {
  const runs: NonNullable<LeafCollector["collectRun"]>[] = [];
  for (const { collectRun } of leaves) {
    if (collectRun === undefined) return undefined;
    runs.push(collectRun);
  }
  return (first, end, bucket) => {
    for (const collectRun of runs) {
      budget.step(end - first);
      collectRun(first, end, bucket);
    }
  };
}

/**
 * Reduces one bucket: `partials[i]` are its results from one shard, empty if that shard lacks the
 * bucket. Yields between aggregations. In the final reduction the pipelines of the level run last,
 * as they read its results.
 */
export function* reduceChildren(
  tree: AggregationTree,
  partials: readonly (readonly Plain[])[],
  context: ReduceContext,
): Generator<undefined, Plain[]> {
  const reduced: Plain[] = [];
  for (const [i, aggregation] of tree.entries()) {
    if (context.isTurnOver()) yield undefined;
    const each = partials.map((one) => one[i]).filter((partial) => partial !== undefined);
    reduced.push(yield* aggregation.reduce(each, context));
  }
  return context.isFinal ? yield* applyPipelines(tree, reduced, context) : reduced;
}

/** The results of a bucket that no shard has, such as a gap of a histogram. */
export function emptyChildren(
  tree: AggregationTree,
  context: ReduceContext,
): Generator<undefined, Plain[]> {
  return reduceChildren(tree, [], context);
}

/**
 * The members of a bucket, or of the whole `aggregations` object. A pipeline without a result
 * prints nothing.
 */
export function renderChildren(
  tree: AggregationTree,
  reduced: readonly Plain[],
  options: RenderOptions,
): { [key: string]: Printable } {
  const json: { [key: string]: Printable } = {};
  for (const [i, aggregation] of tree.entries()) {
    const value = reduced[i];
    if (value === undefined && aggregation.pipeline !== undefined) continue;
    const name = options.typedKeys
      ? `${aggregation.typedName(value)}#${aggregation.name}`
      : aggregation.name;
    const members = aggregation.render(value, options);
    setKey(
      json,
      name,
      aggregation.meta === undefined ? members : { meta: aggregation.meta, ...members },
    );
  }
  return json;
}
