/**
 * All aggregations of a request: the check before the search, and the reduction of all shards'
 * partials on the coordinating node.
 */
import type {
  AggregationResults,
  AggregationTree,
  ReduceContext,
} from "../language/aggregation.ts";
import type { Scripts } from "../language/script.ts";
import type { Plain } from "../json/plain.ts";
import { reduceChildren, renderChildren } from "./children.ts";
import { tooManyBuckets } from "./limits.ts";

/**
 * Rejects a request before it runs if its ranges and filters at the top alone exceed
 * `search.max_buckets`. Deeper ones are not counted, as their parents may have no bucket.
 * @throws OperationError 503 `too_many_buckets_exception`
 */
export function checkBucketCounts(
  tree: AggregationTree,
  { maxBuckets }: Pick<ReduceOptions, "maxBuckets">,
): void {
  const count = tree.reduce((sum, { bucketCount = 0 }) => sum + bucketCount, 0);
  if (count > maxBuckets) throw tooManyBuckets(maxBuckets, maxBuckets + 1);
}

/** The limit `search.max_buckets`, and the compiler for scripts of pipelines. */
export interface ReduceOptions {
  readonly maxBuckets: number;
  readonly scripts: Scripts;
}

/** Whether the reduction should yield. */
interface Turns {
  readonly isTurnOver: () => boolean;
}

/**
 * The final reduction. `partials` are those of each shard, in their order; none at all gives empty
 * aggregations.
 * @throws OperationError 503 `too_many_buckets_exception`
 */
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
      // The product counts buckets one by one, so its message names the first one too many.
      if (buckets > maxBuckets) throw tooManyBuckets(maxBuckets, maxBuckets + 1);
    },
  };
  const all = partials as readonly (readonly Plain[])[];
  const reduced = yield* reduceChildren(tree, all, context);
  return { render: (options) => renderChildren(tree, reduced, options) };
}
