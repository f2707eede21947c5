/** Columns over bucket numbers that grow as buckets appear. */
import type { Budget } from "../work/budget.ts";

export class Doubles {
  values: Float64Array;
  private readonly initial: number;

  constructor(initial = 0) {
    this.initial = initial;
    this.values = new Float64Array(16).fill(initial);
  }

  /** Room for bucket `index`. */
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

/** The largest bucket number of a batch, so that columns grow once per batch. */
export function maxBucket(buckets: Int32Array | undefined, count: number): number {
  if (buckets === undefined) return 0;
  let max = 0;
  for (let i = 0; i < count; i += 1) {
    const bucket = buckets[i] as number;
    if (bucket > max) max = bucket;
  }
  return max;
}

const SAMPLE = 64;
const FEWEST_A_RUN = 8;

/** Neighbours mostly share a bucket, as in a histogram over times in the order of which documents came. */
export function hasRuns(buckets: Int32Array, count: number): boolean {
  const sampled = Math.min(count, SAMPLE);
  let changes = 0;
  for (let i = 1; i < sampled; i += 1) changes += buckets[i] === buckets[i - 1] ? 0 : 1;
  return sampled === SAMPLE && changes * FEWEST_A_RUN <= SAMPLE;
}

/** Buckets that lanes have room for. */
export const LANE_BUCKETS = 64;
const LANES = 4;

/**
 * Counts and sums of a few buckets over one batch, in lanes: additions to one place wait for one another, and neighbours are often in
 * the same bucket. Sums are of whole numbers below 2^31, which add up exactly in any order. Empty between batches.
 */
export class Lanes {
  private readonly counted = new Int32Array(LANE_BUCKETS * LANES);
  private readonly summed = new Float64Array(LANE_BUCKETS * LANES);

  /** Counts the documents of buckets below `LANE_BUCKETS`. */
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

  /** The same, and adds up their values. */
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

  /** Adds what was counted (and added up) of the first `buckets` buckets, and empties the lanes. */
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

/** Of a document, a bucket and a score. */
const ENTRY_BYTES = 12;

/** An entry is mostly found by a key. */
export const ENTRY_STEPS = 4;

/** A batch being assembled for sub-aggregations. */
export class BatchBuffer {
  docs: Int32Array = new Int32Array(1024);
  buckets: Int32Array = new Int32Array(1024);
  scores: Float32Array = new Float32Array(1024);
  count = 0;
  readonly budget: Budget;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  add(doc: number, bucket: number, score: number): void {
    if (this.count === this.docs.length) this.grow();
    this.docs[this.count] = doc;
    this.buckets[this.count] = bucket;
    this.scores[this.count] = score;
    this.count += 1;
  }

  /** Room for `count` entries, filled by the caller. */
  reserve(count: number): void {
    while (this.docs.length < count) this.grow();
  }

  /** Counts the documents of each bucket. `buckets`: how many there are. */
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
