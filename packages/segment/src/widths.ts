/**
 * Columns of numbers that are 1, 2 or 4 bytes wide (width codes 0, 1, 2) over the same memory. An index counts in
 * units of the column's width, so a byte offset is shifted right by the width code.
 */

/** One section as views of the three widths. */
export interface Widths {
  readonly bytes: Uint8Array;
  readonly shorts: Uint16Array;
  readonly words: Int32Array;
}

/**
 * Decodes `count` numbers from index `at` on, plus `base`, into `target`. The switch is outside the loops, which
 * keeps each loop over one array type.
 */
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

/**
 * The first index in [low, high] whose number is not less than `value`; `high` when all before it are less. The
 * number at `high` is never read.
 */
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
