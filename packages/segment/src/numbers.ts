/**
 * Numeric columns and points. Both are built from (document, value) pairs in document order, stored in the narrowest
 * of three exact representations (int32, float64, int64), and read in place.
 *
 * A column answers "which values has this document" (doc values); points answer "which documents have values in this
 * range" (Lucene's BKD tree). Points here are one sorted array with the documents beside it: a range is two binary
 * searches and a slice, and merging is one sort.
 */
import { createDocSet, hasBit } from "./bits.ts";
import { DoubleList, IntList } from "./growable.ts";
import type { SectionReader, SectionWriter } from "./part.ts";
import { sortByKeys } from "./radix-sort.ts";
import type { DocSet, NumberColumn, Points } from "./types.ts";

/** Representation of a column's values. */
export type NumberEncoding = "int32" | "float64" | "int64";
/** Values in one of the representations. */
export type NumberArray = Int32Array | Float64Array | BigInt64Array;

/**
 * Values of one field in the order in which they were added. Integers are kept as doubles as long as all are exact,
 * which they nearly always are.
 */
export class NumberList {
  /** The values, while `bigints` is undefined. */
  readonly doubles: DoubleList = new DoubleList();
  /** All values, once one of them is beyond 2^53; `undefined` before that. */
  bigints: bigint[] | undefined;

  get length(): number {
    return this.bigints?.length ?? this.doubles.length;
  }

  /** Adds a value. A bigint that fits a double is stored as a double. */
  push(value: number | bigint): void {
    if (this.bigints !== undefined) {
      this.bigints.push(toBigint(value));
      return;
    }
    if (typeof value === "number") {
      this.doubles.push(value);
      return;
    }
    const rounded = Number(value);
    if (Number.isSafeInteger(rounded)) {
      this.doubles.push(rounded);
      return;
    }
    this.bigints = Array.from(this.doubles.view(), toBigint);
    this.bigints.push(value);
  }

  /** The values in the narrowest exact representation. */
  array(type: "long" | "double"): NumberArray {
    if (this.bigints !== undefined) return BigInt64Array.from(this.bigints);
    // -0 counts as a double: int32 has no negative zero, and Java's `Double.compare` orders it before 0.
    const values = this.doubles.view();
    return type === "long" && isInt32(values) ? Int32Array.from(values) : values;
  }
}

function toBigint(value: number | bigint): bigint {
  return typeof value === "bigint" ? value : BigInt(Math.trunc(value));
}

function isInt32(values: Float64Array): boolean {
  for (const value of values) if ((value | 0) !== value || Object.is(value, -0)) return false;
  return true;
}

function encodingOf(values: NumberArray): NumberEncoding {
  if (values instanceof Int32Array) return "int32";
  return values instanceof Float64Array ? "float64" : "int64";
}

// ------------------------------------------------------------------------------------------------ columns

/** Directory entry of a numeric column: its type and representation, and the numbers of its sections. */
export interface NumberColumnEntry {
  readonly type: "long" | "double";
  readonly encoding: NumberEncoding;
  readonly values: number;
  /** Section of `maxDoc + 1` starts; `undefined`: no document has several values. */
  readonly starts: number | undefined;
  /** Section of the presence bits; `undefined`: every document has a value. */
  readonly present: number | undefined;
  readonly docCount: number;
  /** Smallest and largest value, rounded to double; null when there is none or it is infinite. */
  readonly min: number | null;
  readonly max: number | null;
}

/** Values of a numeric or ordinal column before they are written. */
export interface ColumnInput {
  readonly maxDoc: number;
  /** Documents with a value, ascending, and the index in `values` of each one's first value. */
  readonly docs: Int32Array;
  readonly firstValues: Int32Array;
  readonly values: NumberArray;
}

/** Writes a column and returns its entry. */
export function writeNumberColumn(
  file: SectionWriter,
  type: "long" | "double",
  input: ColumnInput,
): NumberColumnEntry {
  const { docs, values } = input;
  const isMultiValued = values.length > docs.length;
  // Values of a document are sorted (Lucene's `SortedNumericDocValues`), so the minimum is the first and the maximum
  // the last.
  const sorted = isMultiValued ? sortEach(input) : values;
  const layout = layOutColumn(file, input, sorted);
  const [min, max] = extremes(values);
  return {
    type,
    encoding: encodingOf(values),
    ...layout,
    docCount: docs.length,
    min,
    max,
  };
}

/**
 * Writes the values of a column as sections: by document number if each document has at most one, else behind a table
 * of the start of each document.
 */
export function layOutColumn(
  file: SectionWriter,
  { maxDoc, docs, firstValues, values: original }: ColumnInput,
  values: NumberArray,
): Pick<NumberColumnEntry, "values" | "starts" | "present"> {
  const present = docs.length === maxDoc ? undefined : file.add(presenceOf(docs, maxDoc));
  if (original.length > docs.length) {
    const starts = new Int32Array(maxDoc + 1);
    let entry = 0;
    // A document without values gets the start of the next one's values: its range is empty.
    for (let doc = 0; doc < maxDoc; doc += 1) {
      starts[doc] = entry < docs.length ? (firstValues[entry] as number) : values.length;
      if (docs[entry] === doc) entry += 1;
    }
    starts[maxDoc] = values.length;
    return { values: file.add(values), starts: file.add(starts), present };
  }
  // A slot per document is wasted where a value is missing, but no table of starts is needed and a look-up is one
  // memory access.
  return { values: file.add(spread(values, docs, maxDoc)), starts: undefined, present };
}

/** Copies single values to the places of their documents; other places stay 0 and are hidden by the presence bits. */
function spread(values: NumberArray, docs: Int32Array, maxDoc: number): NumberArray {
  if (docs.length === maxDoc) return values;
  if (values instanceof BigInt64Array) {
    const places = new BigInt64Array(maxDoc);
    for (const [entry, doc] of docs.entries()) places[doc] = values[entry] as bigint;
    return places;
  }
  const places = values instanceof Int32Array ? new Int32Array(maxDoc) : new Float64Array(maxDoc);
  for (let entry = 0; entry < docs.length; entry += 1) {
    places[docs[entry] as number] = values[entry] as number;
  }
  return places;
}

/** Sorting a sub-view sorts in place; typed arrays sort numerically without a comparator. */
function sortEach({ docs, firstValues, values }: ColumnInput): NumberArray {
  const sorted = values.slice();
  for (let entry = 0; entry < docs.length; entry += 1) {
    const from = firstValues[entry] as number;
    const to = entry + 1 < docs.length ? (firstValues[entry + 1] as number) : values.length;
    if (to - from > 1) sorted.subarray(from, to).sort();
  }
  return sorted;
}

/** Presence bits of the given documents. */
export function presenceOf(docs: Int32Array, maxDoc: number): Int32Array {
  const words = new Int32Array((maxDoc + 31) >>> 5);
  for (const doc of docs) words[doc >> 5] = (words[doc >> 5] as number) | (1 << (doc & 31));
  return words;
}

function extremes(values: NumberArray): [number | null, number | null] {
  if (values.length === 0) return [null, null];
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    const number = Number(value);
    if (number < min) min = number;
    if (number > max) max = number;
  }
  // JSON has no infinity; the reader treats null as unknown and assumes the widest bound.
  return [Number.isFinite(min) ? min : null, Number.isFinite(max) ? max : null];
}

/** Opens a numeric column in place. */
export function openNumberColumn(
  file: SectionReader,
  entry: NumberColumnEntry,
  maxDoc: number,
): NumberColumn {
  return new Column(file, entry, maxDoc);
}

/** The values of a section in their representation. */
export function readNumbers(
  file: SectionReader,
  encoding: NumberEncoding,
  section: number,
): NumberArray {
  if (encoding === "int32") return file.ints(section);
  return encoding === "float64" ? file.doubles(section) : file.longs(section);
}

/** A view of a column. A class, because aggregations and sorts call its methods once per document. */
class Column implements NumberColumn {
  readonly type: "long" | "double";
  readonly values: NumberArray;
  readonly isDense: boolean;
  readonly isMultiValued: boolean;
  readonly docCount: number;
  readonly min: number;
  readonly max: number;
  readonly documents: DocSet;
  readonly #starts: Int32Array | undefined;
  readonly #present: Int32Array | undefined;

  constructor(file: SectionReader, entry: NumberColumnEntry, maxDoc: number) {
    this.type = entry.type;
    this.values = readNumbers(file, entry.encoding, entry.values);
    this.#starts = entry.starts === undefined ? undefined : file.ints(entry.starts);
    this.#present = entry.present === undefined ? undefined : file.ints(entry.present);
    this.isMultiValued = this.#starts !== undefined;
    this.docCount = entry.docCount;
    // Dense: exactly one value per document, so loops may index `values` by document without calling any method.
    this.isDense = !this.isMultiValued && entry.docCount === maxDoc;
    this.min = entry.min ?? (entry.docCount === 0 ? NaN : -Infinity);
    this.max = entry.max ?? (entry.docCount === 0 ? NaN : Infinity);
    this.documents = createDocSet(entry.docCount, this.#present);
  }

  has(doc: number): boolean {
    return this.#present === undefined || hasBit(this.#present, doc);
  }

  count(doc: number): number {
    return this.end(doc) - this.start(doc);
  }

  /** In a single-valued column the index of a value is its document, so no start is stored. */
  start(doc: number): number {
    return this.#starts === undefined ? doc : (this.#starts[doc] as number);
  }

  end(doc: number): number {
    if (this.#starts !== undefined) return this.#starts[doc + 1] as number;
    return this.has(doc) ? doc + 1 : doc;
  }

  value(doc: number): number {
    return Number(this.values[this.start(doc)]);
  }

  /** Number() of a number costs nothing; for int64 it rounds to the nearest double. */
  valueAt(index: number): number {
    return Number(this.values[index]);
  }

  bigintAt(index: number): bigint {
    const value = this.values[index] as number | bigint;
    return toBigint(value);
  }
}

// ------------------------------------------------------------------------------------------------ points

/** Directory entry of the points of a field: sections of sorted values and of their documents. */
export interface PointsEntry {
  readonly type: "long" | "double";
  readonly encoding: NumberEncoding;
  readonly values: number;
  readonly docs: number;
  readonly docCount: number;
}

/**
 * Values with their documents. The order is arbitrary, except that documents with equal values must ascend: the sort
 * is stable and points promise that order.
 */
export interface PointsInput {
  readonly values: NumberArray;
  readonly docs: Int32Array;
  readonly docCount: number;
}

/** The points of a column's values. For a single-valued column they share the arrays of the column. */
export function pointsOf({ docs, firstValues, values }: ColumnInput): PointsInput {
  if (values.length === docs.length) return { values, docs, docCount: docs.length };
  const docOfValue = new Int32Array(values.length);
  for (let entry = 0; entry < docs.length; entry += 1) {
    const to = entry + 1 < docs.length ? (firstValues[entry + 1] as number) : values.length;
    docOfValue.fill(docs[entry] as number, firstValues[entry], to);
  }
  return { values, docs: docOfValue, docCount: docs.length };
}

/** Sorts the values, stably, and writes them with their documents. */
export function writePoints(
  file: SectionWriter,
  type: "long" | "double",
  { values, docs, docCount }: PointsInput,
): PointsEntry {
  // A radix sort over integer keys, not `sort` with a comparator: it is linear, stable, and compares no values.
  const { low, high } = sortKeys(values);
  const order = sortByKeys(values.length, low, high);
  const sortedDocs = new Int32Array(order.length);
  for (let i = 0; i < order.length; i += 1) sortedDocs[i] = docs[order[i] as number] as number;
  return {
    type,
    encoding: encodingOf(values),
    values: file.add(permute(values, order)),
    docs: file.add(sortedDocs),
    docCount,
  };
}

function permute(values: NumberArray, order: Int32Array): NumberArray {
  if (values instanceof BigInt64Array)
    return values.map((_, i) => values[order[i] as number] as bigint);
  return values.map((_, i) => values[order[i] as number] as number);
}

/**
 * Unsigned 32-bit keys in the order of the values. An int32 has its sign bit flipped. A double has its sign bit
 * flipped, or all bits if it is negative: IEEE 754 doubles order like sign-magnitude integers. An int64 has the sign
 * bit of its upper half flipped.
 */
function sortKeys(values: NumberArray): { low: Int32Array; high: Int32Array | undefined } {
  const { length } = values;
  const low = new Int32Array(length);
  if (values instanceof Int32Array) {
    for (let i = 0; i < length; i += 1) low[i] = (values[i] as number) ^ -0x80000000;
    return { low, high: undefined };
  }
  const high = new Int32Array(length);
  // A view of words over the same memory needs an offset that is a multiple of 4.
  const aligned = values.byteOffset % 4 === 0 ? values : values.slice();
  const halves = new Int32Array(aligned.buffer, aligned.byteOffset, length * 2);
  const isFloat = values instanceof Float64Array;
  for (let i = 0; i < length; i += 1) {
    const upper = halves[i * 2 + 1] as number;
    const lower = halves[i * 2] as number;
    const isFlipped = isFloat && upper < 0;
    high[i] = isFlipped ? ~upper : upper ^ -0x80000000;
    low[i] = isFlipped ? ~lower : lower;
  }
  return { low, high };
}

/** Opens points in place. */
export function openPoints(file: SectionReader, entry: PointsEntry): Points {
  const values = readNumbers(file, entry.encoding, entry.values);
  const docs = file.ints(entry.docs);
  const { length } = values;
  return {
    type: entry.type,
    values,
    docs,
    docCount: entry.docCount,
    // The values are sorted, so the extremes are the first and the last.
    min: length === 0 ? NaN : Number(values[0]),
    max: length === 0 ? NaN : Number(values[length - 1]),
    lowerBound: (value) => firstIndex(values, (candidate) => candidate >= value),
    upperBound: (value) => firstIndex(values, (candidate) => candidate > value),
  };
}

/**
 * Index of the first value that satisfies a monotonic predicate. JavaScript compares a number with a bigint exactly,
 * so every mixture of value and bound is right.
 */
function firstIndex(values: NumberArray, isReached: (value: number | bigint) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(values[middle] as number | bigint)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Collects a column document by document, for merges. `start` precedes a document's values. */
export class ColumnCollector {
  readonly docs: IntList = new IntList();
  readonly firstValues: IntList = new IntList();
  readonly values: NumberList = new NumberList();

  start(doc: number): void {
    this.docs.push(doc);
    this.firstValues.push(this.values.length);
  }

  input(type: "long" | "double", maxDoc: number): ColumnInput {
    return {
      maxDoc,
      docs: this.docs.view(),
      firstValues: this.firstValues.view(),
      values: this.values.array(type),
    };
  }
}
