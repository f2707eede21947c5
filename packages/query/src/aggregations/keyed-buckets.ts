/** Counting documents into buckets by any key, for aggregations whose buckets appear as their keys are met. */
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

export interface CountedBucket<Key> {
  readonly key: Key;
  readonly bucket: number;
  readonly count: number;
}

/** Puts one document into the bucket of `key`, below the bucket it came with. */
export type Put<Key> = (key: Key) => void;

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

  /** `visit` names the keys of each document. */
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

  /** The buckets below an owner's. */
  of(owner: number): CountedBucket<Key>[] {
    return this.numbers
      .of(owner)
      .map(({ key, bucket }) => ({ key, bucket, count: this.counts.get(bucket) }));
  }
}

export interface PartialBucket<Key> {
  readonly k: Key;
  readonly n: number;
  readonly c: readonly Plain[];
}

export interface MergedBucket<Key> {
  readonly key: Key;
  readonly count: number;
  readonly children: readonly (readonly Plain[])[];
}

/** Merged buckets with their sub-aggregations reduced, again as partial results. */
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

/** Buckets of several shards with the same key as one; `id` tells keys apart. */
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
