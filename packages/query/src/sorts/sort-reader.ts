/** A sort key over the segments of a shard, and the order of its values. */
import type { Json } from "@orrery/stdx";
import type { SortValue } from "../language/results.ts";
import type { SegmentContext } from "../language/searcher.ts";

/** One key of the order, ready for this shard. */
export interface SortReader {
  readonly isDescending: boolean;
  /** A missing text comes last whatever the direction. */
  readonly isMissingFirst: boolean;
  readonly isScore: boolean;
  readonly isDoc: boolean;
  open(segment: SegmentContext): SegmentSort;
  /** What a hit prints, when it is not the value itself. */
  readonly print: ((value: SortValue) => SortValue) | undefined;
  /** From `search_after`. */
  parse(value: Json): SortValue;
}

export interface SegmentSort {
  value(doc: number, score: number): SortValue;
  /**
   * A number whose order is the values' order within this segment (an ordinal, the value itself), and the same of a value
   * from elsewhere; absent when there is none.
   */
  readonly rank: { of(doc: number): number; ofValue(value: SortValue): number } | undefined;
  /** Ranks by document: one array read. */
  readonly ranks: Int32Array | Float64Array | undefined;
}

/** Negative when `a` comes first. */
export function compareSortValues(
  a: SortValue,
  b: SortValue,
  reader: Pick<SortReader, "isDescending" | "isMissingFirst">,
): number {
  if (a === b) return 0;
  if (a === null) return reader.isMissingFirst ? -1 : 1;
  if (b === null) return reader.isMissingFirst ? 1 : -1;
  const order =
    typeof a === "string" && typeof b === "string"
      ? compareCodePoints(a, b)
      : a < b
        ? -1
        : a > b
          ? 1
          : 0;
  return reader.isDescending ? -order : order;
}

/** The order of the UTF-8 forms. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above all others.
    const isHighX = x >= 0xd800 && x < 0xe000;
    const isHighY = y >= 0xd800 && y < 0xe000;
    if (isHighX !== isHighY) return isHighX ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}
