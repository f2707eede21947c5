/**
 * Sums, means and medians of 64-bit integers as sort values. Sums wrap around as in Java; means are
 * computed in doubles, as by the product's `MultiValueMode`.
 */
import type { SortMode } from "./sort-mode.ts";

/**
 * Combines the 64-bit values of a document by a sort mode. `all` is ascending and not empty; with
 * `isUnsigned` the values are from 0 to 2^64 - 1.
 */
export function combineLongs(
  all: readonly (number | bigint)[],
  mode: Exclude<SortMode, "min" | "max">,
  isUnsigned: boolean,
): number | bigint {
  if (mode === "median") return median(all, isUnsigned);
  const exact = all.reduce<bigint>((total, value) => total + BigInt(value), 0n);
  const sum = isUnsigned ? BigInt.asUintN(64, exact) : BigInt.asIntN(64, exact);
  if (mode === "sum" || all.length === 1) return narrow(sum);
  return isUnsigned ? divide(sum, all.length) : wholeNumber(Number(sum) / all.length);
}

/** The middle value, or the mean of the two middle ones. */
function median(all: readonly (number | bigint)[], isUnsigned: boolean): number | bigint {
  const middle = all.length >> 1;
  const upper = all[middle] ?? 0;
  if (all.length % 2 === 1) return upper;
  const lower = all[middle - 1] ?? 0;
  if (!isUnsigned) return wholeNumber((Number(lower) + Number(upper)) / 2);
  return divide(BigInt.asUintN(64, BigInt(lower) + BigInt(upper)), 2);
}

/** The quotient, rounded half up. */
function divide(sum: bigint, count: number): number | bigint {
  const divisor = BigInt(count) * 2n;
  return narrow((sum * 2n + BigInt(count)) / divisor);
}

/** A bigint only where a number would not be exact. */
function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The rounded value; beyond 2^53 a bigint, since a double prints other digits than its long. */
function wholeNumber(value: number): number | bigint {
  const rounded = Math.round(value);
  return Number.isSafeInteger(rounded) ? rounded : BigInt(rounded);
}
