/** The order of sort values, on shards and on the coordinating node. */
import type { SortValue } from "../language/results.ts";
import type { SortOrder } from "../language/sort.ts";

/**
 * Negative if `a` comes first, 0 if the values are equal. The place of missing values does not
 * depend on the direction.
 */
export function compareSortValues(a: SortValue, b: SortValue, order: SortOrder): number {
  if (a === b) return 0;
  if (a === null) return order.isMissingFirst ? -1 : 1;
  if (b === null) return order.isMissingFirst ? 1 : -1;
  const compared =
    typeof a === "string" && typeof b === "string"
      ? compareCodePoints(a, b)
      : a < b
        ? -1
        : a > b
          ? 1
          : Number(isNaNumber(a)) - Number(isNaNumber(b));
  return order.isDescending ? -compared : compared;
}

/** NaN is above all other numbers, as in Java. */
function isNaNumber(value: SortValue): boolean {
  return typeof value === "number" && Number.isNaN(value);
}

/** Compares the texts' UTF-8 bytes, which is the order of terms; negative if `a` comes first. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above all others, though their units are below U+E000.
    const isHighX = x >= 0xd800 && x < 0xe000;
    const isHighY = y >= 0xd800 && y < 0xe000;
    if (isHighX !== isHighY) return isHighX ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}
