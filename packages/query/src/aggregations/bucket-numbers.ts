/** Numbers the buckets of a bucket aggregation: one per (owner's bucket, key). */
import { refuseKeyed, refuseNested } from "./collect-limits.ts";

export interface NumberedBucket<Key> {
  readonly key: Key;
  readonly bucket: number;
}

export class BucketNumbers<Key> {
  /** By owner, then key. */
  private readonly byOwner: (Map<Key, number> | undefined)[] = [];
  size = 0;

  /** The bucket's number; a new one if needed. */
  number(owner: number, key: Key): number {
    let buckets = this.byOwner[owner];
    if (buckets === undefined) {
      buckets = new Map();
      this.byOwner[owner] = buckets;
    }
    const known = buckets.get(key);
    if (known !== undefined) return known;
    const bucket = this.size;
    if (owner === 0) refuseKeyed(bucket + 1);
    else refuseNested(bucket + 1);
    this.size += 1;
    buckets.set(key, bucket);
    return bucket;
  }

  of(owner: number): NumberedBucket<Key>[] {
    return [...(this.byOwner[owner] ?? [])].map(([key, bucket]) => ({ key, bucket }));
  }
}
