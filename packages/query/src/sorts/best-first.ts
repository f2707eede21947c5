/**
 * The best documents of a segment by a number, read from the points of its field: from the best value on until the page is full, where a
 * walk over all hits would look at each. Source: Lucene's `NumericComparator`, whose competitive iterator passes over what points
 * exclude.
 */
import type { Points } from "@orrery/segment";
import type { BatchSource, DocFilter } from "../language/scorer.ts";

export interface ValueOrder {
  readonly points: Points;
  readonly isDescending: boolean;
}

export interface PageInput {
  /** Hits of the segment. */
  readonly hits: number;
  /** Documents that the page has room for. */
  readonly needed: number;
  /** New filters that together accept the hits. They are asked for documents in ascending order, and do not go back. */
  readonly filters: () => readonly DocFilter[];
}

/** A document that is looked up in a filter costs as much as so many that are read one after the other. */
const LOOK_UP_COST = 32;
/** So many documents of one value are not worth the walk. */
const MOST_DOCS = 4096;
const FIRST_DOCS = 64;

/**
 * Hits in ascending order: at least as many as are needed, and all whose value is as good as the worst of them, so that other sort keys may
 * decide. `undefined`: reading all hits costs less.
 */
export function bestFirst(
  { points, isDescending }: ValueOrder,
  { hits, needed, filters }: PageInput,
): BatchSource | undefined {
  const { length } = points.docs;
  if (needed === 0 || hits < needed || ((needed * length) / hits) * LOOK_UP_COST > hits)
    return undefined;
  const found: Int32Array[] = [];
  let count = 0;
  let taken = 0;
  for (let size = FIRST_DOCS; count < needed; size *= 2) {
    const end = endOfValue(points, isDescending, Math.min(length, taken + size));
    if (end === taken || end > MOST_DOCS) return undefined;
    const docs = isDescending
      ? points.docs.subarray(length - end, length - taken)
      : points.docs.subarray(taken, end);
    const kept = keepAll(docs.toSorted(), filters());
    found.push(kept);
    count += kept.length;
    taken = end;
  }
  return new OneBatch(joined(found, count).toSorted());
}

/** The places of points from the best on, to the last one with the value at place `at - 1`. */
function endOfValue({ values }: Points, isDescending: boolean, at: number): number {
  const { length } = values;
  const place = (n: number): number => (isDescending ? length - 1 - n : n);
  let end = at;
  while (end < length && end <= MOST_DOCS && values[place(end)] === values[place(at - 1)]) end += 1;
  return end;
}

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

class OneBatch implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: undefined = undefined;
  private isOver = false;

  constructor(docs: Int32Array) {
    this.docs = docs;
  }

  setMinScore(): void {
    // Nothing is scored.
  }

  next(): number {
    if (this.isOver) return 0;
    this.isOver = true;
    return this.docs.length;
  }
}
