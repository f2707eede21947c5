/** Sub-aggregations as a whole: create, collect, partials in order, reduce, print. */
import { setKey } from "@orrery/stdx";
import type { Plain, Printable } from "../types.ts";
import type { SegmentContext } from "../search/searcher.ts";
import { applyPipelines } from "./pipeline/apply.ts";
import type {
  Aggregation,
  AggregationContext,
  AggregationTree,
  Aggregator,
  LeafCollector,
  ReduceContext,
  RenderOptions,
} from "./types.ts";

export interface Children {
  readonly tree: AggregationTree;
  readonly isEmpty: boolean;
  open(segment: SegmentContext): LeafCollector;
  /** One partial per sub-aggregation, in order. */
  partials(bucket: number): Plain[];
  aggregator(
    name: string,
  ): { readonly aggregation: Aggregation; readonly aggregator: Aggregator } | undefined;
}

export function createChildren(tree: AggregationTree, context: AggregationContext): Children {
  const aggregators = tree.map((aggregation) => aggregation.create(context));
  return {
    tree,
    isEmpty: tree.length === 0,
    open: (segment) => {
      const leaves = aggregators.map((aggregator) => aggregator.open(segment));
      const [only] = leaves;
      if (leaves.length === 1 && only !== undefined) return only;
      return {
        collect: (docs, buckets, count, scores) => {
          for (const leaf of leaves) leaf.collect(docs, buckets, count, scores);
        },
      };
    },
    partials: (bucket) => aggregators.map((aggregator) => aggregator.partial(bucket)),
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

/** `partials[i]` are the sub-results of one bucket on one shard. */
export function reduceChildren(
  tree: AggregationTree,
  partials: readonly (readonly Plain[])[],
  context: ReduceContext,
): Plain[] {
  const reduced = tree.map((aggregation, i) =>
    aggregation.reduce(
      partials.map((one) => one[i]),
      context,
    ),
  );
  return context.isFinal ? applyPipelines(tree, reduced) : reduced;
}

export function emptyChildren(tree: AggregationTree, context: ReduceContext): Plain[] {
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
