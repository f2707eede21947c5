/** Sub-aggregations as a whole: create, collect, partials in order, reduce, print. */
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

export interface Children {
  readonly tree: AggregationTree;
  readonly budget: Budget;
  /** About what a bucket takes: its key, its count, and the columns of the sub-aggregations. */
  readonly bucketBytes: number;
  readonly isEmpty: boolean;
  open(segment: SegmentContext): LeafCollector;
  /** One partial per sub-aggregation, in order. */
  partials(bucket: number): Plain[];
  aggregator(
    name: string,
  ): { readonly aggregation: Aggregation; readonly aggregator: Aggregator } | undefined;
}

const BUCKET_BYTES = 64;
const COLUMN_BYTES = 48;

/** A bucket, or a result in it, is made here, encoded, read by the coordinating node, reduced and printed. */
const PARTIAL_BYTES = 256;
const PARTIAL_STEPS = 20;

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

/** The collector of runs for all leaves; `undefined` unless each has one, since all are given a document in the same way. */
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

/** `partials[i]` are the sub-results of one bucket on one shard, empty without the bucket. Rests between two sub-aggregations. */
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

export function emptyChildren(
  tree: AggregationTree,
  context: ReduceContext,
): Generator<undefined, Plain[]> {
  return reduceChildren(tree, [], context);
}

/** The members of a bucket, or of the whole `aggregations` object. */
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
