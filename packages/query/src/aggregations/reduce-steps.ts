/**
 * Reductions in steps. Thousands of buckets have as many results below them, and the node that
 * reduces them must answer other requests meanwhile: reductions are generators that yield in
 * `reduceChildren`.
 */
import type { Plain } from "../json/plain.ts";
import { reduceChildren } from "./children.ts";
import type { AggregationTree, ReduceContext } from "../language/aggregation.ts";

/** Builds the partial from a reduction once its steps are done. */
export function* partialOf<Reduced, Shape>(
  steps: Generator<undefined, Reduced>,
  build: (reduced: Reduced) => Shape,
): Generator<undefined, Shape> {
  return build(yield* steps);
}

/** How the buckets of all shards that have one key become one. */
export interface BucketRule<Item, Bucket> {
  /** The bucket's results, one list for each shard that has it. */
  readonly partials: (item: Item, index: number) => readonly (readonly Plain[])[];
  /** The merged bucket from its reduced results. */
  readonly build: (item: Item, children: Plain[], index: number) => Bucket;
}

/** Reduces the results of each item's buckets; one bucket for each item, in order. */
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
