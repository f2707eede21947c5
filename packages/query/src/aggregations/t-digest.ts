/**
 * Quantiles of many numbers from few centroids: the t-digest of Dunning and Ertl, as its library's
 * `MergingDigest` with the scale K_2, which the product uses. Small sets are kept whole, so their
 * quantiles are exact.
 *
 * Values are buffered. A merge sorts buffer and centroids and joins neighbours while their weight
 * stays below a limit that shrinks towards both ends, where quantiles need most precision.
 */

import type { Budget } from "../work/budget.ts";

/** The mean of some values, and their number. */
interface Centroid {
  readonly mean: number;
  readonly weight: number;
}

/**
 * A digest as plain data: mean and weight of each centroid in turn, then the least and the greatest
 * value.
 */
export type DigestPartial = readonly number[];

/** Extra centroids for which the library reserves room. */
const FUDGE = 10;

/** Bytes of a centroid. */
const CENTROID_BYTES = 48;

/** Steps of the budget for sorting and merging a centroid. */
const SORT_STEPS = 30;

/**
 * A t-digest, which estimates percentiles: values are buffered, then merged into weighted
 * centroids. `total` is the weight of all centroids, `unmerged` that of the buffer.
 */
export class TDigest {
  private readonly compression: number;
  private readonly capacity: number;
  private readonly budget: Budget | undefined;
  private centroids: Centroid[] = [];
  private buffer: Centroid[] = [];
  private total = 0;
  private unmerged = 0;
  private merges = 0;
  private min = Infinity;
  private max = -Infinity;

  /** `budget` is that of the request; `undefined` where partials are merged. */
  constructor(compression: number, budget?: Budget) {
    this.budget = budget;
    const wanted = Math.max(10, compression);
    const size = Math.floor(2 * wanted + FUDGE + (wanted < 30 ? 20 : 0));
    // Two-level compression: more centroids are kept than requested.
    this.compression = Math.sqrt(4) * wanted;
    this.capacity = 5 * size;
  }

  /** Adds a value, or a centroid of several. */
  add(mean: number, weight = 1): void {
    if (this.buffer.length >= this.capacity - this.centroids.length - 1) this.merge();
    this.budget?.hold(CENTROID_BYTES);
    this.buffer.push({ mean, weight });
    this.unmerged += weight;
    if (mean < this.min) this.min = mean;
    if (mean > this.max) this.max = mean;
  }

  /**
   * Merges the buffer into the centroids. Merges alternate their direction, so that rounding does
   * not favour one end.
   */
  private merge(): void {
    if (this.unmerged === 0) return;
    const isBackwards = this.merges % 2 === 1;
    this.merges += 1;
    this.total += this.unmerged;
    this.unmerged = 0;
    const incoming = [...this.buffer, ...this.centroids].toSorted((a, b) => a.mean - b.mean);
    if (isBackwards) incoming.reverse();
    this.buffer = [];
    this.budget?.step(incoming.length * SORT_STEPS);
    // The scale K_2 and its normalizer, of the library.
    const z = 4 * Math.log(this.total / this.compression) + 24;
    const normalizer = this.compression / z;
    const limit = (q: number): number => (q * (1 - q)) / normalizer;
    const merged: { mean: number; weight: number }[] = [];
    let before = 0;
    for (const [i, { mean, weight }] of incoming.entries()) {
      const last = merged.at(-1);
      if (last === undefined) {
        merged.push({ mean, weight });
        continue;
      }
      const proposed = last.weight + weight;
      const most =
        this.total * Math.min(limit(before / this.total), limit((before + proposed) / this.total));
      // The first and the last centroid stay alone: they are the least and the greatest value.
      if (proposed <= most && i !== 1 && i !== incoming.length - 1) {
        last.weight = proposed;
        last.mean += ((mean - last.mean) * weight) / proposed;
      } else {
        before += last.weight;
        merged.push({ mean, weight });
      }
    }
    if (isBackwards) merged.reverse();
    this.budget?.hold((merged.length - incoming.length) * CENTROID_BYTES);
    this.centroids = merged;
  }

  /** Number of values. */
  get count(): number {
    return this.total + this.unmerged;
  }

  /** Mean and weight of each centroid in turn, then the least and the greatest value. */
  partial(): DigestPartial {
    this.merge();
    return [...this.centroids.flatMap(({ mean, weight }) => [mean, weight]), this.min, this.max];
  }

  /** Adds the centroids of a partial. */
  addAll(partial: DigestPartial): void {
    for (let i = 0; i + 3 < partial.length; i += 2) this.add(partial[i] as number, partial[i + 1]);
    if (partial.length <= 2) return;
    this.min = Math.min(this.min, partial.at(-2) as number);
    this.max = Math.max(this.max, partial.at(-1) as number);
  }

  /** The value at or below which a share `q` of the values lies; NaN without values. */
  quantile(q: number): number {
    this.merge();
    const { centroids, total, min, max } = this;
    this.budget?.step(centroids.length);
    const [first] = centroids;
    const last = centroids.at(-1);
    if (first === undefined || last === undefined) return Number.NaN;
    if (centroids.length === 1) return first.mean;
    const index = q * total;
    if (index < 1) return min;
    if (first.weight > 1 && index < first.weight / 2) {
      return min + ((index - 1) / (first.weight / 2 - 1)) * (first.mean - min);
    }
    if (index > total - 1) return max;
    if (last.weight > 1 && total - index <= last.weight / 2) {
      return max - ((total - index - 1) / (last.weight / 2 - 1)) * (max - last.mean);
    }
    return this.between(index);
  }

  /**
   * Interpolates between the centroids around the index. A centroid of one value is that value, so
   * half a step around it is exact.
   */
  private between(index: number): number {
    const { centroids, max } = this;
    let before = (centroids[0] as Centroid).weight / 2;
    for (let i = 0; i < centroids.length - 1; i += 1) {
      const left = centroids[i] as Centroid;
      const right = centroids[i + 1] as Centroid;
      const step = (left.weight + right.weight) / 2;
      if (before + step > index) {
        if (left.weight === 1 && index - before < 0.5) return left.mean;
        if (right.weight === 1 && before + step - index <= 0.5) return right.mean;
        const toLeft = index - before - (left.weight === 1 ? 0.5 : 0);
        const toRight = before + step - index - (right.weight === 1 ? 0.5 : 0);
        return weightedAverage(left.mean, toRight, right.mean, toLeft);
      }
      before += step;
    }
    return max;
  }

  /** The share of values at or below `x`; NaN without values. */
  cdf(x: number): number {
    this.merge();
    const { centroids, total, min, max } = this;
    const [first] = centroids;
    const last = centroids.at(-1);
    if (first === undefined || last === undefined) return Number.NaN;
    if (x < min) return 0;
    if (x > max) return 1;
    if (centroids.length === 1) return 0.5;
    if (x < first.mean) {
      if (x === min) return 0.5 / total;
      return (1 + ((x - min) / (first.mean - min)) * (first.weight / 2 - 1)) / total;
    }
    if (x > last.mean) {
      if (x === max) return 1 - 0.5 / total;
      return 1 - (1 + ((max - x) / (max - last.mean)) * (last.weight / 2 - 1)) / total;
    }
    return this.cdfBetween(x);
  }

  /** `cdf` between the first and the last centroid. Equal centroids count half. */
  private cdfBetween(x: number): number {
    const { centroids, total } = this;
    let before = 0;
    for (let i = 0; i < centroids.length; i += 1) {
      const left = centroids[i] as Centroid;
      const right = centroids[i + 1];
      if (left.mean === x) {
        let same = 0;
        for (let at = i; at < centroids.length && centroids[at]?.mean === x; at += 1)
          same += centroids[at]?.weight ?? 0;
        return (before + same / 2) / total;
      }
      if (right !== undefined && left.mean <= x && x < right.mean) {
        if (left.weight === 1 && right.weight === 1) return (before + 1) / total;
        const leftPart = left.weight === 1 ? 0.5 : 0;
        const rightPart = right.weight === 1 ? 0.5 : 0;
        const step = (left.weight + right.weight) / 2 - leftPart - rightPart;
        const base = before + left.weight / 2 + leftPart;
        return (base + (step * (x - left.mean)) / (right.mean - left.mean)) / total;
      }
      before += left.weight;
    }
    return 1 - 0.5 / total;
  }

  /**
   * The median of the distances from the median, from a second digest over the centroids'
   * distances.
   */
  medianAbsoluteDeviation(compression: number): number {
    const middle = this.quantile(0.5);
    const distances = new TDigest(compression);
    for (const { mean, weight } of this.centroids) distances.add(Math.abs(middle - mean), weight);
    return distances.quantile(0.5);
  }
}

/** The average, kept within its two values in spite of rounding. */
function weightedAverage(a: number, weightA: number, b: number, weightB: number): number {
  const average = (a * weightA + b * weightB) / (weightA + weightB);
  return Math.max(a, Math.min(average, b));
}
