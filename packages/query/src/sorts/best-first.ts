/**
 * The best documents of a segment by a number, read from the points of its field in the order of
 * the values until the page is full; a pass over all hits would read each. Source: Lucene's
 * `NumericComparator`, whose competitive iterator skips what points exclude.
 */
import type { Points } from "@orrery/segment";
import type { BatchSource, DocFilter } from "../language/scorer.ts";

/** The order of the first sort key; `points` hold every document of the segment once. */
export interface ValueOrder {
  readonly points: Points;
  readonly isDescending: boolean;
}

/** The hits of the segment and the page. */
export interface PageInput {
  /** Number of hits in the segment. */
  readonly hits: number;
  /** Number of documents for which the page has room. */
  readonly needed: number;
  /**
   * Makes new filters that together accept exactly the hits. Each set is asked for documents in
   * ascending order, and cannot be asked again for earlier ones.
   */
  readonly filters: () => readonly DocFilter[];
}

/** Documents that are read in order in the time in which one is looked up in a filter. */
const LOOK_UP_COST = 32;
/**
 * Number of points after which the attempt is abandoned: many documents of one value, or few hits
 * among the best values.
 */
const MOST_DOCS = 4096;
/** Points of the first step; each further step reads twice as many. */
const FIRST_DOCS = 64;

/**
 * The best hits of the segment by the first sort key: at least `needed`, and all whose value equals
 * the worst of them, so that further sort keys can decide. They come in ascending order of document.
 * `undefined`: reading all hits costs less.
 */
export function bestFirst(
  { points, isDescending }: ValueOrder,
  { hits, needed, filters }: PageInput,
): BatchSource | undefined {
  const { length } = points.docs;
  // About `needed * length / hits` points have to be looked up if hits are spread evenly over the
  // values.
  if (needed === 0 || hits < needed || ((needed * length) / hits) * LOOK_UP_COST > hits)
    return undefined;
  const found: Int32Array[] = [];
  let count = 0;
  let taken = 0;
  for (let size = FIRST_DOCS; count < needed; size *= 2) {
    // A step never ends within documents of one value.
    const end = endOfValue(points, isDescending, Math.min(length, taken + size));
    if (end === taken || end > MOST_DOCS) return undefined;
    const docs = isDescending
      ? points.docs.subarray(length - end, length - taken)
      : points.docs.subarray(taken, end);
    // Filters read documents in ascending order, while points have those of the values; each step
    // needs new filters, as it starts again at low documents.
    const kept = keepAll(docs.toSorted(), filters());
    found.push(kept);
    count += kept.length;
    taken = end;
  }
  return new OneBatch(joined(found, count).toSorted());
}

/**
 * The number of points, from the best on, up to the last one that has the value of point `at - 1`.
 */
function endOfValue({ values }: Points, isDescending: boolean, at: number): number {
  const { length } = values;
  const place = (n: number): number => (isDescending ? length - 1 - n : n);
  let end = at;
  while (end < length && end <= MOST_DOCS && values[place(end)] === values[place(at - 1)]) end += 1;
  return end;
}

/** The documents that pass all filters. */
function keepAll(docs: Int32Array, filters: readonly DocFilter[]): Int32Array {
  let count = docs.length;
  for (let i = 0; i < filters.length && count > 0; i += 1)
    count = (filters[i] as DocFilter).keep(docs, undefined, count);
  return docs.subarray(0, count);
}

function joined(parts: readonly Int32Array[], count: number): Int32Array {
  const all = new Int32Array(count);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A source of one batch without scores. */
class OneBatch implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: undefined = undefined;
  private isExhausted = false;

  constructor(docs: Int32Array) {
    this.docs = docs;
  }

  setMinScore(): void {
    // Without scores, a minimum has no effect.
  }

  next(): number {
    if (this.isExhausted) return 0;
    this.isExhausted = true;
    return this.docs.length;
  }
}
