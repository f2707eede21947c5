/**
 * Numbers the buckets of one aggregation from 0 as they appear, by the parent's bucket and the key.
 * A number is the index of the bucket in every column below. Source: `LongKeyedBucketOrds` and
 * `BytesKeyedBucketOrds`.
 */
import type { Children } from "./children.ts";

/** Bytes of the map of one owner. */
const MAP_BYTES = 128;

/** A bucket with its key. */
export interface NumberedBucket<Key> {
  readonly key: Key;
  readonly bucket: number;
}

/** Numbers buckets by their keys below each owner, which is a bucket of the parent aggregation. */
export class BucketNumbers<Key> {
  /** Numbers by key for each owner. */
  private readonly byOwner: (Map<Key, number> | undefined)[] = [];
  private readonly below: Children;
  /** Number of buckets of all owners. */
  size = 0;

  /** `below` are the sub-aggregations, whose columns grow with each bucket. */
  constructor(below: Children) {
    this.below = below;
  }

  /**
   * The number of the bucket, a new one if the key is new to the owner; charges its memory to the
   * budget.
   */
  number(owner: number, key: Key): number {
    let buckets = this.byOwner[owner];
    if (buckets === undefined) {
      this.below.budget.hold(MAP_BYTES);
      buckets = new Map();
      this.byOwner[owner] = buckets;
    }
    const known = buckets.get(key);
    if (known !== undefined) return known;
    const bucket = this.size;
    this.below.budget.hold(this.below.bucketBytes);
    this.size += 1;
    buckets.set(key, bucket);
    return bucket;
  }

  /** The buckets of an owner in the order of their first documents. */
  of(owner: number): NumberedBucket<Key>[] {
    return [...(this.byOwner[owner] ?? [])].map(([key, bucket]) => ({ key, bucket }));
  }
}

/**
 * Charges the memory of buckets that exist whether they have documents or not, such as those of
 * ranges. `held` were charged before; returns the number charged by now.
 */
export function holdBuckets(
  { budget, bucketBytes }: Children,
  { held, size }: { readonly held: number; readonly size: number },
): number {
  if (size <= held) return held;
  budget.hold((size - held) * bucketBytes);
  return size;
}
