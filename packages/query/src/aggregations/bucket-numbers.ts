/** Numbers the buckets of a bucket aggregation: one per (owner's bucket, key). */
import type { Children } from "./children.ts";

/** Of the map of an owner's buckets. */
const MAP_BYTES = 128;

export interface NumberedBucket<Key> {
  readonly key: Key;
  readonly bucket: number;
}

export class BucketNumbers<Key> {
  /** By owner, then key. */
  private readonly byOwner: (Map<Key, number> | undefined)[] = [];
  private readonly below: Children;
  size = 0;

  /** `below`: the sub-aggregations, whose columns grow with each bucket. */
  constructor(below: Children) {
    this.below = below;
  }

  /** The bucket's number; a new one if needed. */
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

  of(owner: number): NumberedBucket<Key>[] {
    return [...(this.byOwner[owner] ?? [])].map(([key, bucket]) => ({ key, bucket }));
  }
}

/** Takes the memory of buckets that exist whether a document is in them or not. `held`: as many were taken before. Returns how many are. */
export function holdBuckets(
  { budget, bucketBytes }: Children,
  { held, size }: { readonly held: number; readonly size: number },
): number {
  if (size <= held) return held;
  budget.hold((size - held) * bucketBytes);
  return size;
}
