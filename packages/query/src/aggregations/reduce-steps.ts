/** Reductions in steps: results below thousands of buckets are many, and the node that reduces them has other work, too. */
import type { Plain } from "../json/plain.ts";
import { reduceChildren } from "./children.ts";
import type { AggregationTree, ReduceContext } from "../language/aggregation.ts";

/** A partial result of what was reduced in steps. */
export function* partialOf<Reduced, Shape>(
  steps: Generator<undefined, Reduced>,
  build: (reduced: Reduced) => Shape,
): Generator<undefined, Shape> {
  return build(yield* steps);
}

/** Buckets of all shards as one: which results of sub-aggregations belong to an item, and the bucket that it becomes. */
export interface BucketRule<Item, Bucket> {
  /** One list for each shard that has the bucket. */
  readonly partials: (item: Item, index: number) => readonly (readonly Plain[])[];
  readonly build: (item: Item, children: Plain[], index: number) => Bucket;
}

/** One bucket for each item, in order. */
export function* reduceBuckets<Item, Bucket>(
  tree: AggregationTree,
  items: Iterable<Item>,
  { partials, build }: BucketRule<Item, Bucket>,
  context: ReduceContext,
): Generator<undefined, Bucket[]> {
  const buckets: Bucket[] = [];
  for (const item of items) {
    const index = buckets.length;
    const children = yield* reduceChildren(tree, partials(item, index), context);
    buckets.push(build(item, children, index));
  }
  return buckets;
}
