/**
 * Ranges over columns with one value for each document, as filters of batches and as scans. Whether
 * a value lies inside is added to the number of documents kept, as 0 or 1: neighbouring values are
 * unrelated, and a branch would often be mispredicted. Loops are written once for each type of
 * array, because a loop that sees several types is compiled to slower code.
 */
import type { DocFilter } from "../../language/scorer.ts";

const LEAST_INT = -(2 ** 31);
const MOST_INT = 2 ** 31 - 1;

/** An interval of 32-bit integers as its start and width. */
interface Span {
  readonly lower: number;
  /**
   * A value lies inside if its distance from `lower`, as an unsigned number, is at most this: one
   * comparison instead of two, as values below `lower` wrap to large distances.
   */
  readonly width: number;
}

/** The integers of [lower, upper] that a column can hold; `undefined`: none. */
function spanOf(lower: number, upper: number): Span | undefined {
  const least = Math.max(LEAST_INT, Math.ceil(lower));
  const most = Math.min(MOST_INT, Math.floor(upper));
  return least > most ? undefined : { lower: least, width: most - least };
}

type Keep = DocFilter["keep"];

const keepNone: Keep = () => 0;
const keepAll: Keep = (_docs, _extra, count) => count;

/** Filter of the documents whose value lies in [lower, upper]. */
export function rangeFilter32(values: Int32Array, lower: number, upper: number): DocFilter {
  const span = spanOf(lower, upper);
  if (span === undefined) return { cost: 0, keep: keepNone, drop: keepAll };
  return { cost: 1, keep: sift32(values, span, 0), drop: sift32(values, span, 1) };
}

/**
 * `flip` of 1 keeps the documents outside. The loop without `extra` is separate: a test inside
 * would run for each document.
 */
function sift32(values: Int32Array, { lower, width }: Span, flip: number): Keep {
  return (docs, extra, count) => {
    let kept = 0;
    if (extra === undefined) {
      for (let i = 0; i < count; i += 1) {
        const doc = docs[i] as number;
        docs[kept] = doc;
        kept += Number(((values[doc] as number) - lower) >>> 0 <= width) ^ flip;
      }
      return kept;
    }
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      docs[kept] = doc;
      extra[kept] = extra[i] as number;
      kept += Number(((values[doc] as number) - lower) >>> 0 <= width) ^ flip;
    }
    return kept;
  };
}

/** Filter of the documents whose value lies in [lower, upper], over doubles. */
export function rangeFilter64(values: Float64Array, lower: number, upper: number): DocFilter {
  return {
    cost: 1,
    keep: sift64(values, { lower, upper, flip: 0 }),
    drop: sift64(values, { lower, upper, flip: 1 }),
  };
}

function sift64(
  values: Float64Array,
  { lower, upper, flip }: { readonly lower: number; readonly upper: number; readonly flip: number },
): Keep {
  return (docs, extra, count) => {
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      const value = values[doc] as number;
      docs[kept] = doc;
      if (extra !== undefined) extra[kept] = extra[i] as number;
      kept += (Number(value >= lower) & Number(value <= upper)) ^ flip;
    }
    return kept;
  };
}

/** Writes the documents of [from, to) that match to `into` and returns their number. */
type Scan = (from: number, to: number, into: Int32Array) => number;

/** Scan for documents whose value lies in [lower, upper]. */
export function rangeScan32(values: Int32Array, lower: number, upper: number): Scan {
  const span = spanOf(lower, upper);
  if (span === undefined) return () => 0;
  const { lower: least, width } = span;
  return (from, to, into) => {
    let count = 0;
    for (let doc = from; doc < to; doc += 1) {
      into[count] = doc;
      count += Number(((values[doc] as number) - least) >>> 0 <= width);
    }
    return count;
  };
}

/** Scan for documents whose value lies in [lower, upper], over doubles. */
export function rangeScan64(values: Float64Array, lower: number, upper: number): Scan {
  return (from, to, into) => {
    let count = 0;
    for (let doc = from; doc < to; doc += 1) {
      const value = values[doc] as number;
      into[count] = doc;
      count += Number(value >= lower) & Number(value <= upper);
    }
    return count;
  };
}
