/** All aggregations of a request: collected on a shard, reduced and printed on the coordinating node. */
import { jsonTextSteps } from "../json/print-in-steps.ts";
import type { Plain } from "../types.ts";
import { reduceChildren, renderChildren } from "./children.ts";
import { tooManyBuckets } from "./limits.ts";
import type { AggregationTree, ReduceContext } from "./types.ts";

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
  /** Names are `sterms#by_state`, with the type of the aggregation. */
  readonly typedKeys: boolean;
}

interface Turns {
  readonly isTurnOver: () => boolean;
}

/** `partials`: what each shard left; none at all gives empty aggregations. The section's JSON text, made in steps. */
export function* reduceAggregations(
  tree: AggregationTree,
  partials: readonly Plain[],
  { maxBuckets, typedKeys, isTurnOver }: ReduceOptions & Turns,
): Generator<undefined, string> {
  let buckets = 0;
  const context: ReduceContext = {
    isFinal: true,
    maxBuckets,
    isTurnOver,
    addBuckets: (count) => {
      buckets += count;
      // They are counted one by one: the first too many ends it.
      if (buckets > maxBuckets) throw tooManyBuckets(maxBuckets, maxBuckets + 1);
    },
  };
  const all = partials as readonly (readonly Plain[])[];
  const reduced = yield* reduceChildren(tree, all, context);
  return yield* jsonTextSteps(renderChildren(tree, reduced, { typedKeys }), isTurnOver);
}
