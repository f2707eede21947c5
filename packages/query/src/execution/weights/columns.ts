/** Sets read from columns: numbers in a range or a list, ordinals in a range or a set, geo points. */
import type { NumberColumn, OrdinalColumn, Points, SegmentReader } from "@orrery/segment";
import type { NumberRangePlan, NumberSetPlan } from "../../language/plan.ts";
import { decodePoint } from "../../mapping/types/geo-point.ts";
import { emptyWords } from "../bits.ts";
import { rangeFilter32, rangeFilter64, rangeScan32, rangeScan64 } from "./ranges.ts";
import type { SegmentContext } from "../../language/searcher.ts";
import type { SegmentSet } from "./sets.ts";

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
  const isSingleValued = points.docCount === points.values.length;
  if (matches === points.values.length && points.docCount === maxDoc) return { kind: "all" };
  // A short slice of the sorted values is cheaper to list than the column is to walk.
  if (column === undefined || matches < maxDoc / 32)
    return pointSlice(points, { from, to, maxDoc, isSingleValued });
  return columnRange(
    column,
    { lower, upper },
    { cost: matches, count: isSingleValued ? matches : undefined },
  );
}

interface Slice {
  readonly from: number;
  readonly to: number;
  readonly maxDoc: number;
  readonly isSingleValued: boolean;
}

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

interface Estimate {
  readonly cost: number;
  readonly count: number | undefined;
}

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

export function numberSetSet(plan: NumberSetPlan, segment: SegmentContext): SegmentSet | undefined {
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
        if (wanted.has(value) || (!Number.isSafeInteger(value) && wanted.has(column.bigintAt(i))))
          return true;
      }
      return false;
    },
  };
}

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

/** Documents with an ordinal in [from, to). */
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

/** Documents with one of the marked ordinals. */
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

/** Documents that have a value, whatever index structure shows it. */
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
