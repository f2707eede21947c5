/** Numbers the buckets of a bucket aggregation: one per (owner's bucket, key). */
import { OperationError } from "@orrery/stdx";

/**
 * Of one aggregation on one shard, those that the answer leaves out included: each is collected before any limit of the answer is
 * looked at, and three levels of terms over one document with a thousand values are a billion. The product's request breaker
 * gives way at some ten million with a heap of 1 GB.
 */
const MOST_COLLECTED = 4_000_000;

/** Ranges and filters number their buckets without a table: empty ones count, too. */
export function refuseBuckets(count: number): void {
  if (count > MOST_COLLECTED) throw tooMuchCollected(MOST_COLLECTED);
}

/** Of a batch for the aggregations below: each document in each of its buckets. */
const MOST_ENTRIES = 16_000_000;

export function refuseEntries(count: number): void {
  if (count > MOST_ENTRIES) throw tooMuchCollected(MOST_ENTRIES, "documents in buckets");
}

/** Of the values of several fields of one document, which are made at once. */
const MOST_COMBINATIONS = 1_000_000;

export function refuseCombinations(count: number): void {
  if (count > MOST_COMBINATIONS) throw tooMuchCollected(MOST_COMBINATIONS);
}

export interface NumberedBucket<Key> {
  readonly key: Key;
  readonly bucket: number;
}

/** Of distinct values that one aggregation on one shard keeps, whatever number of buckets they are in. */
const MOST_KEPT = 16_000_000;

export class KeptValues {
  private count = 0;

  add(count: number): void {
    this.count += count;
    if (this.count > MOST_KEPT) throw tooMuchCollected(MOST_KEPT, "values");
  }
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
    refuseBuckets(bucket + 1);
    this.size += 1;
    buckets.set(key, bucket);
    return bucket;
  }

  of(owner: number): NumberedBucket<Key>[] {
    return [...(this.byOwner[owner] ?? [])].map(([key, bucket]) => ({ key, bucket }));
  }
}

/** Source: `CircuitBreakingException` of `MultiBucketConsumer`. */
function tooMuchCollected(most: number, what = "buckets"): OperationError {
  const reason = `[request] Data too large, data for [allocated_buckets] would be more than [${most}] ${what}`;
  const metadata = { durability: "TRANSIENT" };
  return new OperationError({ type: "circuit_breaking_exception", reason, status: 429, metadata });
}
