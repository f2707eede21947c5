/**
 * Columns of numbers stored 1, 2 or 4 bytes wide (width codes 0, 1, 2) over the same memory. An index counts in units of
 * the column's width.
 */

export interface Widths {
  readonly bytes: Uint8Array;
  readonly shorts: Uint16Array;
  readonly words: Int32Array;
}

/** `count` numbers from `at` on, each plus `base`, into `target`. */
export function decode(
  { bytes, shorts, words }: Widths,
  width: number,
  at: number,
  count: number,
  base: number,
  target: Int32Array,
): void {
  if (width === 0) {
    for (let i = 0; i < count; i += 1) target[i] = base + (bytes[at + i] as number);
  } else if (width === 1) {
    for (let i = 0; i < count; i += 1) target[i] = base + (shorts[at + i] as number);
  } else for (let i = 0; i < count; i += 1) target[i] = base + (words[at + i] as number);
}

/** The first index in [low, high] whose number is not less than `value`; `high` if all before it are. */
export function lowerBound(
  { bytes, shorts, words }: Widths,
  width: number,
  low: number,
  high: number,
  value: number,
): number {
  let from = low;
  let to = high;
  if (width === 0) {
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((bytes[middle] as number) < value) from = middle + 1;
      else to = middle;
    }
  } else if (width === 1) {
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((shorts[middle] as number) < value) from = middle + 1;
      else to = middle;
    }
  } else {
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((words[middle] as number) < value) from = middle + 1;
      else to = middle;
    }
  }
  return from;
}
