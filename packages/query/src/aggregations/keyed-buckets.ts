/**
 * Buckets that appear as their keys are met, for aggregations that find the keys of one document at
 * a time, such as `geohash_grid`, `rare_terms` and `composite`.
 */
import type { SegmentContext } from "../language/searcher.ts";
import type { Plain } from "../json/plain.ts";
import { BucketNumbers } from "./bucket-numbers.ts";
import { createChildren, type Children } from "./children.ts";
import { BatchBuffer, Doubles } from "./growable.ts";
import { reduceBuckets, type BucketRule } from "./reduce-steps.ts";
import type {
  AggregationContext,
  AggregationTree,
  LeafCollector,
  ReduceContext,
} from "../language/aggregation.ts";

/** A bucket with its number of documents. */
export interface CountedBucket<Key> {
  readonly key: Key;
  readonly bucket: number;
  readonly count: number;
}

/** Puts the current document into the bucket of `key`, below its parent's bucket. */
export type Put<Key> = (key: Key) => void;

/** Counts documents into buckets and collects the sub-aggregations below them. */
export class KeyedBuckets<Key> {
  readonly children: Children;
  private readonly numbers: BucketNumbers<Key>;
  private readonly counts = new Doubles();
  private readonly batch: BatchBuffer;

  constructor(tree: AggregationTree, context: AggregationContext) {
    this.children = createChildren(tree, context);
    this.numbers = new BucketNumbers(this.children);
    this.batch = new BatchBuffer(context.budget);
  }

  /** The collector of a segment; `visit` puts each document into the buckets of its keys. */
  open(segment: SegmentContext, visit: (doc: number, put: Put<Key>) => void): LeafCollector {
    const leaf = this.children.open(segment);
    const { batch, numbers, children } = this;
    let doc = 0;
    let owner = 0;
    let score = 0;
    const put = (key: Key): void => batch.add(doc, numbers.number(owner, key), score);
    return {
      collect: (docs, buckets, count, scores) => {
        batch.count = 0;
        for (let i = 0; i < count; i += 1) {
          doc = docs[i] as number;
          owner = buckets === undefined ? 0 : (buckets[i] as number);
          score = scores === undefined ? 0 : (scores[i] as number);
          visit(doc, put);
        }
        batch.countInto(this.counts, numbers.size);
        if (!children.isEmpty && batch.count > 0) {
          leaf.collect(
            batch.docs,
            batch.buckets,
            batch.count,
            scores === undefined ? undefined : batch.scores,
          );
        }
      },
    };
  }

  /** The buckets below a parent's bucket. */
  of(owner: number): CountedBucket<Key>[] {
    return this.numbers
      .of(owner)
      .map(({ key, bucket }) => ({ key, bucket, count: this.counts.get(bucket) }));
  }
}

/**
 * A bucket in a partial: key, count, and partials of the sub-aggregations. Names are short because
 * they are encoded for every bucket.
 */
export interface PartialBucket<Key> {
  readonly k: Key;
  readonly n: number;
  readonly c: readonly Plain[];
}

/** The buckets of all shards with one key: their total count, and the partials of each. */
export interface MergedBucket<Key> {
  readonly key: Key;
  readonly count: number;
  readonly children: readonly (readonly Plain[])[];
}

/** Reduces the sub-aggregations of merged buckets; the result has the shape of a partial again. */
export function reduceMerged<Key>(
  tree: AggregationTree,
  merged: readonly MergedBucket<Key>[],
  context: ReduceContext,
): Generator<undefined, PartialBucket<Key>[]> {
  const rule: BucketRule<MergedBucket<Key>, PartialBucket<Key>> = {
    partials: ({ children }) => children,
    build: ({ key, count }, children) => ({ k: key, n: count, c: children }),
  };
  return reduceBuckets(tree, merged, rule, context);
}

/**
 * Merges the buckets of several shards by key, in the order in which keys appear. `id` maps a key
 * to a value that a `Map` compares.
 */
export function mergeBuckets<Key>(
  lists: readonly (readonly PartialBucket<Key>[])[],
  id: (key: Key) => string | number | bigint | boolean,
): MergedBucket<Key>[] {
  const merged = new Map<
    string | number | bigint | boolean,
    { key: Key; count: number; children: (readonly Plain[])[] }
  >();
  for (const list of lists) {
    for (const { k, n, c } of list) {
      const entry = merged.get(id(k)) ?? { key: k, count: 0, children: [] };
      merged.set(id(k), entry);
      entry.count += n;
      entry.children.push(c);
    }
  }
  return [...merged.values()];
}
