/**
 * Columns over bucket numbers that grow as buckets appear, and the buffer in which a batch for
 * sub-aggregations is assembled.
 */
import type { Budget } from "../work/budget.ts";

/** A growing column of doubles; entries start as `initial`. */
export class Doubles {
  /** Valid until the next `reserve`, which may replace it. */
  values: Float64Array;
  private readonly initial: number;

  constructor(initial = 0) {
    this.initial = initial;
    this.values = new Float64Array(16).fill(initial);
  }

  /**
   * Makes room for bucket `index` and returns the column. It doubles, so that growing costs a
   * constant per bucket.
   */
  reserve(index: number): Float64Array {
    if (index < this.values.length) return this.values;
    const larger = new Float64Array(Math.max(index + 1, this.values.length * 2)).fill(
      this.initial,
      this.values.length,
    );
    larger.set(this.values);
    this.values = larger;
    return larger;
  }

  get(index: number): number {
    return index < this.values.length ? (this.values[index] as number) : this.initial;
  }
}

/**
 * The highest bucket number of a batch, so that columns grow once for each batch and not in the
 * loop.
 */
export function maxBucket(buckets: Int32Array | undefined, count: number): number {
  if (buckets === undefined) return 0;
  let max = 0;
  for (let i = 0; i < count; i += 1) {
    const bucket = buckets[i] as number;
    if (bucket > max) max = bucket;
  }
  return max;
}

/** Documents that are sampled, and the fewest of them in a run. */
const SAMPLE = 64;
const FEWEST_A_RUN = 8;

/**
 * Whether neighbours mostly share a bucket, judged by the first documents of the batch. So it is in
 * histograms over time of documents indexed in the order of time.
 */
export function hasRuns(buckets: Int32Array, count: number): boolean {
  const sampled = Math.min(count, SAMPLE);
  let changes = 0;
  for (let i = 1; i < sampled; i += 1) changes += buckets[i] === buckets[i - 1] ? 0 : 1;
  return sampled === SAMPLE && changes * FEWEST_A_RUN <= SAMPLE;
}

/** Buckets for which lanes have room; more are counted directly. */
export const LANE_BUCKETS = 64;
const LANES = 4;

/**
 * Counts and sums of few buckets over one batch, in four lanes. Neighbours are often in the same
 * bucket, and an addition to a place must wait for the one before it; in lanes four of them proceed
 * at once. Sums are of integers below 2^31, which doubles add exactly in any order. Lanes are zero
 * between batches.
 */
export class Lanes {
  private readonly counted = new Int32Array(LANE_BUCKETS * LANES);
  private readonly summed = new Float64Array(LANE_BUCKETS * LANES);

  /** Counts the documents of a batch, all in buckets below `LANE_BUCKETS`. */
  count(buckets: Int32Array, count: number): void {
    const { counted } = this;
    const whole = count & ~3;
    for (let i = 0; i < whole; i += 4) {
      const a = buckets[i] as number;
      const b = LANE_BUCKETS + (buckets[i + 1] as number);
      const c = 2 * LANE_BUCKETS + (buckets[i + 2] as number);
      const d = 3 * LANE_BUCKETS + (buckets[i + 3] as number);
      counted[a] = (counted[a] as number) + 1;
      counted[b] = (counted[b] as number) + 1;
      counted[c] = (counted[c] as number) + 1;
      counted[d] = (counted[d] as number) + 1;
    }
    for (let i = whole; i < count; i += 1) {
      const a = buckets[i] as number;
      counted[a] = (counted[a] as number) + 1;
    }
  }

  /** `count`, and adds up the documents' values. */
  sum(values: Int32Array, docs: Int32Array, buckets: Int32Array, count: number): void {
    const { counted, summed } = this;
    const whole = count & ~3;
    for (let i = 0; i < whole; i += 4) {
      const a = buckets[i] as number;
      const b = LANE_BUCKETS + (buckets[i + 1] as number);
      const c = 2 * LANE_BUCKETS + (buckets[i + 2] as number);
      const d = 3 * LANE_BUCKETS + (buckets[i + 3] as number);
      counted[a] = (counted[a] as number) + 1;
      counted[b] = (counted[b] as number) + 1;
      counted[c] = (counted[c] as number) + 1;
      counted[d] = (counted[d] as number) + 1;
      summed[a] = (summed[a] as number) + (values[docs[i] as number] as number);
      summed[b] = (summed[b] as number) + (values[docs[i + 1] as number] as number);
      summed[c] = (summed[c] as number) + (values[docs[i + 2] as number] as number);
      summed[d] = (summed[d] as number) + (values[docs[i + 3] as number] as number);
    }
    for (let i = whole; i < count; i += 1) {
      const a = buckets[i] as number;
      counted[a] = (counted[a] as number) + 1;
      summed[a] = (summed[a] as number) + (values[docs[i] as number] as number);
    }
  }

  /** Adds the lanes of the first `buckets` buckets to the columns and clears them. */
  flush(buckets: number, counts: Float64Array, sums?: Float64Array): void {
    const { counted, summed } = this;
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      let count = 0;
      let sum = 0;
      for (let at = bucket; at < counted.length; at += LANE_BUCKETS) {
        count += counted[at] as number;
        sum += summed[at] as number;
        counted[at] = 0;
        summed[at] = 0;
      }
      counts[bucket] = (counts[bucket] as number) + count;
      if (sums !== undefined) sums[bucket] = (sums[bucket] as number) + sum;
    }
  }
}

/** Bytes of a document, a bucket and a score. */
const ENTRY_BYTES = 12;

/** Steps of the budget for an entry, which is mostly found by a key. */
export const ENTRY_STEPS = 4;

/**
 * A batch being assembled for sub-aggregations: documents with their buckets and scores. All
 * batches of an aggregation reuse it.
 */
export class BatchBuffer {
  docs: Int32Array = new Int32Array(1024);
  buckets: Int32Array = new Int32Array(1024);
  scores: Float32Array = new Float32Array(1024);
  count = 0;
  readonly budget: Budget;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  /** Appends an entry; a document may be added to several buckets. */
  add(doc: number, bucket: number, score: number): void {
    if (this.count === this.docs.length) this.grow();
    this.docs[this.count] = doc;
    this.buckets[this.count] = bucket;
    this.scores[this.count] = score;
    this.count += 1;
  }

  /** Makes room for `count` entries, which the caller writes. */
  reserve(count: number): void {
    while (this.docs.length < count) this.grow();
  }

  /** Counts the documents of each bucket. `buckets` is the number of buckets so far. */
  countInto(counts: Doubles, buckets: number): void {
    this.budget.step(this.count * ENTRY_STEPS);
    const values = counts.reserve(buckets);
    for (let i = 0; i < this.count; i += 1) {
      const bucket = this.buckets[i] as number;
      values[bucket] = (values[bucket] as number) + 1;
    }
  }

  private grow(): void {
    const size = this.docs.length * 2;
    this.budget.step(this.docs.length * ENTRY_STEPS);
    this.budget.hold(this.docs.length * ENTRY_BYTES);
    const docs = new Int32Array(size);
    docs.set(this.docs);
    const buckets = new Int32Array(size);
    buckets.set(this.buckets);
    const scores = new Float32Array(size);
    scores.set(this.scores);
    this.docs = docs;
    this.buckets = buckets;
    this.scores = scores;
  }
}
