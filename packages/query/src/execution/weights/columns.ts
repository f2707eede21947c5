/**
 * Sets of documents by values: numbers in a range or a list, ordinals in a range or a list, geo
 * points. A set is read from the points (values in order, each with its document) if few documents
 * match, and from the column (values by document) if many do; as Lucene's `IndexOrDocValuesQuery`
 * decides.
 */
import type { NumberColumn, OrdinalColumn, Points, SegmentReader } from "@orrery/segment";
import type { NumberRangePlan, NumberSetPlan } from "../../language/plan.ts";
import { decodePoint } from "../../mapping/types/geo-point.ts";
import { emptyWords } from "../bits.ts";
import { rangeFilter32, rangeFilter64, rangeScan32, rangeScan64 } from "./ranges.ts";
import type { SegmentContext } from "../../language/searcher.ts";
import type { SegmentSet } from "./sets.ts";

/**
 * Documents with a value in [lower, upper]; `undefined`: none. A field without points is searched
 * by its column alone.
 */
export function numberRangeSet(
  plan: NumberRangePlan,
  { reader, maxDoc }: SegmentContext,
): SegmentSet | undefined {
  const { field, lower, upper } = plan;
  if (lower > upper) return undefined;
  const points = reader.points(field);
  const column = reader.numbers(field);
  if (points === undefined) {
    return column === undefined
      ? undefined
      : columnRange(column, { lower, upper }, { cost: maxDoc, count: undefined });
  }
  const from = points.lowerBound(lower);
  const to = points.upperBound(upper);
  const matches = to - from;
  if (matches <= 0) return undefined;
  // A document with several values appears as often in the points, so their number is a count of
  // documents only if each has one value.
  const isSingleValued = points.docCount === points.values.length;
  if (matches === points.values.length && points.docCount === maxDoc) return { kind: "all" };
  // A short slice of the points is cheaper to read than the whole column.
  if (column === undefined || matches < maxDoc / 32)
    return pointSlice(points, { from, to, maxDoc, isSingleValued });
  return columnRange(
    column,
    { lower, upper },
    { cost: matches, count: isSingleValued ? matches : undefined },
  );
}

/** Points `from` to `to` (exclusive) of a segment. */
interface Slice {
  readonly from: number;
  readonly to: number;
  readonly maxDoc: number;
  readonly isSingleValued: boolean;
}

/**
 * The documents of a slice. They are in the order of their values: a short slice is sorted into a
 * list, a longer one collected into bits, which also merge documents with several values.
 */
function pointSlice(points: Points, { from, to, maxDoc, isSingleValued }: Slice): SegmentSet {
  if (to - from < maxDoc / 64 && isSingleValued) {
    return { kind: "list", docs: points.docs.slice(from, to).toSorted() };
  }
  const words = emptyWords(maxDoc);
  for (let i = from; i < to; i += 1) {
    const doc = points.docs[i] as number;
    words[doc >> 5] = (words[doc >> 5] as number) | (1 << (doc & 31));
  }
  return { kind: "bits", words, count: isSingleValued ? to - from : undefined };
}

interface Bounds {
  readonly lower: number | bigint;
  readonly upper: number | bigint;
}

/** Estimated and exact number of matches (`undefined`: unknown). */
interface Estimate {
  readonly cost: number;
  readonly count: number | undefined;
}

/**
 * A test of the column. Columns of one value a document, in 32-bit integers or doubles, also get
 * loops over batches and ranges of documents; 64-bit integers that doubles cannot hold are compared
 * as `bigint`.
 */
function columnRange(column: NumberColumn, bounds: Bounds, estimate: Estimate): SegmentSet {
  const { values } = column;
  if (values instanceof BigInt64Array)
    return { kind: "test", test: bigintTest(column, values, bounds), ...estimate };
  const lower = Number(bounds.lower);
  const upper = Number(bounds.upper);
  if (!column.isDense) {
    return { kind: "test", test: sparseTest(column, values, lower, upper), ...estimate };
  }
  return {
    kind: "test",
    test: (doc) => {
      const value = values[doc] as number;
      return value >= lower && value <= upper;
    },
    filter:
      values instanceof Int32Array
        ? rangeFilter32(values, lower, upper)
        : rangeFilter64(values, lower, upper),
    scan:
      values instanceof Int32Array
        ? rangeScan32(values, lower, upper)
        : rangeScan64(values, lower, upper),
    ...estimate,
  };
}

/** The values of a document ascend, so the first one that is not below the range decides. */
function sparseTest(
  column: NumberColumn,
  values: Int32Array | Float64Array,
  lower: number,
  upper: number,
) {
  return (doc: number): boolean => {
    if (!column.has(doc)) return false;
    const end = column.end(doc);
    for (let i = column.start(doc); i < end; i += 1) {
      const value = values[i] as number;
      if (value >= lower) return value <= upper;
    }
    return false;
  };
}

/** `sparseTest` for 64-bit integers. */
function bigintTest(column: NumberColumn, values: BigInt64Array, { lower, upper }: Bounds) {
  return (doc: number): boolean => {
    if (!column.has(doc)) return false;
    const end = column.end(doc);
    for (let i = column.start(doc); i < end; i += 1) {
      const value = values[i] as bigint;
      if (value >= lower) return value <= upper;
    }
    return false;
  };
}

/** Documents with one of the values; `undefined`: the list is empty, or the field missing. */
export function numberValuesSet(
  plan: NumberSetPlan,
  segment: SegmentContext,
): SegmentSet | undefined {
  const { field, values, boost } = plan;
  const [first] = values;
  if (first === undefined) return undefined;
  if (values.length === 1) {
    return numberRangeSet(
      { kind: "number-range", field, lower: first, upper: first, boost },
      segment,
    );
  }
  const points = segment.reader.points(field);
  if (points !== undefined) return pointsOfAll(points, values, segment.maxDoc);
  const column = segment.reader.numbers(field);
  if (column === undefined) return undefined;
  const wanted = new Set<number | bigint>(values);
  return {
    kind: "test",
    cost: segment.maxDoc,
    test: (doc) => {
      if (!column.has(doc)) return false;
      for (let i = column.start(doc); i < column.end(doc); i += 1) {
        const value = column.valueAt(i);
        // A large integer is rounded by `valueAt`; then its exact value decides.
        if (wanted.has(value) || (!Number.isSafeInteger(value) && wanted.has(column.bigintAt(i))))
          return true;
      }
      return false;
    },
  };
}

/** The documents of the points with one of the values, found by binary search. */
function pointsOfAll(
  points: Points,
  values: readonly (number | bigint)[],
  maxDoc: number,
): SegmentSet {
  const words = emptyWords(maxDoc);
  for (const value of values) {
    const to = points.upperBound(value);
    for (let i = points.lowerBound(value); i < to; i += 1) {
      const doc = points.docs[i] as number;
      words[doc >> 5] = (words[doc >> 5] as number) | (1 << (doc & 31));
    }
  }
  return { kind: "bits", words };
}

/**
 * Documents with an ordinal in [from, to). `count`: their exact number; `undefined`: unknown.
 * Ordinals of a document ascend.
 */
export function ordinalRangeSet(
  column: OrdinalColumn,
  from: number,
  to: number,
  count: number | undefined,
): SegmentSet {
  const { ords } = column;
  const cost = column.docCount;
  if (!column.isDense) {
    const test = (doc: number): boolean => {
      const end = column.end(doc);
      for (let i = column.start(doc); i < end; i += 1) {
        const ord = ords[i] as number;
        if (ord >= from) return ord < to;
      }
      return false;
    };
    return { kind: "test", test, cost, count };
  }
  return {
    kind: "test",
    test: (doc) => {
      const ord = ords[doc] as number;
      return ord >= from && ord < to;
    },
    filter: rangeFilter32(ords, from, to - 1),
    scan: rangeScan32(ords, from, to - 1),
    cost,
    count,
  };
}

/** Documents with an ordinal whose entry in `wanted` is 1. */
export function ordinalBitsSet(column: OrdinalColumn, wanted: Uint8Array): SegmentSet {
  const { ords } = column;
  return {
    kind: "test",
    cost: column.docCount,
    test: column.isDense
      ? (doc) => wanted[ords[doc] as number] === 1
      : (doc) => {
          const end = column.end(doc);
          for (let i = column.start(doc); i < end; i += 1)
            if (wanted[ords[i] as number] === 1) return true;
          return false;
        },
  };
}

/**
 * Documents with a point for which `contains` holds; `undefined`: the segment has no such column.
 */
export function geoSet(
  field: string,
  contains: (lat: number, lon: number) => boolean,
  { reader }: SegmentContext,
): SegmentSet | undefined {
  const column = reader.numbers(field);
  if (column === undefined) return undefined;
  return {
    kind: "test",
    cost: column.docCount,
    test: (doc) => {
      if (!column.has(doc)) return false;
      for (let i = column.start(doc); i < column.end(doc); i += 1) {
        const { lat, lon } = decodePoint(column.bigintAt(i));
        if (contains(lat, lon)) return true;
      }
      return false;
    },
  };
}

/** Documents with a value of the field in any structure of the index; `undefined`: none. */
export function existsSet(
  reader: SegmentReader,
  field: string,
  maxDoc: number,
): SegmentSet | undefined {
  const documents = reader.documentsWith(field);
  if (documents === undefined || documents.count === 0) return undefined;
  if (documents.words === undefined || documents.count === maxDoc) return { kind: "all" };
  return { kind: "bits", words: documents.words, count: documents.count };
}
