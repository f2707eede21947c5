/** All aggregations of a request: collected on a shard, reduced on the coordinating node. */
import type {
  AggregationResults,
  AggregationTree,
  ReduceContext,
} from "../language/aggregation.ts";
import type { Scripts } from "../language/script.ts";
import type { Plain } from "../json/plain.ts";
import { reduceChildren, renderChildren } from "./children.ts";
import { tooManyBuckets } from "./limits.ts";

/** Refuses before the work what the request alone says is refused after it. Those in other buckets may never have any. */
export function checkBucketCounts(
  tree: AggregationTree,
  { maxBuckets }: Pick<ReduceOptions, "maxBuckets">,
): void {
  const count = tree.reduce((sum, { bucketCount = 0 }) => sum + bucketCount, 0);
  if (count > maxBuckets) throw tooManyBuckets(maxBuckets, maxBuckets + 1);
}

export interface ReduceOptions {
  readonly maxBuckets: number;
  readonly scripts: Scripts;
}

interface Turns {
  readonly isTurnOver: () => boolean;
}

/** `partials`: what each shard left; none at all gives empty aggregations. */
export function* reduceAggregations(
  tree: AggregationTree,
  partials: readonly Plain[],
  { maxBuckets, scripts, isTurnOver }: ReduceOptions & Turns,
): Generator<undefined, AggregationResults> {
  let buckets = 0;
  const context: ReduceContext = {
    isFinal: true,
    maxBuckets,
    isTurnOver,
    scripts,
    addBuckets: (count) => {
      buckets += count;
      // They are counted one by one: the first too many ends it.
      if (buckets > maxBuckets) throw tooManyBuckets(maxBuckets, maxBuckets + 1);
    },
  };
  const all = partials as readonly (readonly Plain[])[];
  const reduced = yield* reduceChildren(tree, all, context);
  return { render: (options) => renderChildren(tree, reduced, options) };
}
