/**
 * Kahan summation, as OpenSearch's `CompensatedSum`: the sums are the product's to the last bit,
 * which depends on the order of additions.
 */
import { Doubles } from "./growable.ts";

/** One compensated sum for each bucket. */
export class Sums {
  readonly sums: Doubles = new Doubles();
  readonly deltas: Doubles = new Doubles();

  reserve(bucket: number): void {
    this.sums.reserve(bucket);
    this.deltas.reserve(bucket);
  }

  /**
   * Adds a value. A sum that has become infinite or NaN only changes by values that are not finite.
   */
  add(bucket: number, value: number): void {
    const sums = this.sums.values;
    const deltas = this.deltas.values;
    const sum = sums[bucket] as number;
    if (!Number.isFinite(value)) {
      sums[bucket] = sum + value;
      return;
    }
    if (!Number.isFinite(sum)) return;
    const corrected = value + (deltas[bucket] as number);
    const updated = sum + corrected;
    deltas[bucket] = corrected - (updated - sum);
    sums[bucket] = updated;
  }

  get(bucket: number): number {
    return this.sums.get(bucket);
  }
}

/** The compensated sum of the values in their order. */
export function compensatedSum(values: Iterable<number>): number {
  let sum = 0;
  let delta = 0;
  for (const value of values) {
    if (!Number.isFinite(value) || !Number.isFinite(sum)) {
      sum += value;
      continue;
    }
    const corrected = value + delta;
    const updated = sum + corrected;
    delta = corrected - (updated - sum);
    sum = updated;
  }
  return sum;
}
