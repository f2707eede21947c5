/** All aggregations of a request: collected on a shard, reduced and printed on the coordinating node. */
import type { JsonObject } from "@orrery/stdx";
import { jsonText } from "../json/json-text.ts";
import type { Plain, ReducedAggregations, TopDoc } from "../types.ts";
import type { BuildContext } from "../queries/query.ts";
import type { SearchOptions } from "../types.ts";
import { createChildren, renderChildren, type Children } from "./children.ts";
import { applyPipelines } from "./pipeline/apply.ts";
import { tooManyBuckets } from "./limits.ts";
import type { AggregationTree, ReduceContext } from "./types.ts";

export interface CollectOptions {
  readonly build: BuildContext;
  readonly options: SearchOptions;
  readonly totalShards: number;
  readonly fetchHits: (docs: readonly TopDoc[], request: JsonObject) => string[];
}

export function startAggregations(tree: AggregationTree, collect: CollectOptions): Children {
  return createChildren(tree, collect);
}

/** Refuses before the work what the request alone says is refused after it. Those in other buckets may never have any. */
export function checkBucketCounts(tree: AggregationTree, { maxBuckets }: ReduceOptions): void {
  const count = tree.reduce((sum, { bucketCount = 0 }) => sum + bucketCount, 0);
  if (count > maxBuckets) throw tooManyBuckets(maxBuckets, maxBuckets + 1);
}

export interface ReduceOptions {
  readonly maxBuckets: number;
}

/** `partials`: what each shard left; none at all gives empty aggregations. Yields between two aggregations of the body. */
export function* reduceAggregations(
  tree: AggregationTree,
  partials: readonly Plain[],
  { maxBuckets, isTurnOver }: ReduceOptions & { readonly isTurnOver: () => boolean },
): Generator<undefined, ReducedAggregations> {
  let buckets = 0;
  const context: ReduceContext = {
    isFinal: true,
    maxBuckets,
    addBuckets: (count) => {
      buckets += count;
      // They are counted one by one: the first too many ends it.
      if (buckets > maxBuckets) throw tooManyBuckets(maxBuckets, maxBuckets + 1);
    },
  };
  const all = partials as readonly (readonly Plain[])[];
  const each: Plain[] = [];
  for (const [i, aggregation] of tree.entries()) {
    each.push(
      aggregation.reduce(
        all.map((one) => one[i]),
        context,
      ),
    );
    if (isTurnOver()) yield;
  }
  const reduced = applyPipelines(tree, each);
  return { render: (options) => jsonText(renderChildren(tree, reduced, options)) };
}
