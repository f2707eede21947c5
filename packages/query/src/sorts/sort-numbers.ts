/**
 * Sorts by numbers and dates: the value that the mode picks or computes, and the ranks by which
 * segments compare documents. Source: `IndexNumericFieldData`, `MultiValueMode`.
 */
import { integerOf } from "../json/exact-json.ts";
import type { NumberColumn } from "@orrery/segment";
import { forInputString, javaText, illegalArgument, lookup, type Json } from "@orrery/stdx";
import { dateFormatOf } from "../dates/format.ts";
import type { CompiledField, NumberValues } from "../language/field-type.ts";
import type { BuildContext } from "../language/query.ts";
import type { FieldSort } from "./field-sort.ts";
import type { SortMode } from "./sort-mode.ts";
import { combineLongs } from "./long-modes.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { childrenOf } from "./sort-children.ts";
import type { SegmentSort, SortReader } from "../language/sort.ts";

/** Least and greatest value of a Java long, and of an int. */
const LONG: Extremes = [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n];

const INT: Extremes = [-2_147_483_648, 2_147_483_647];

/** Least and greatest value. */
type Extremes = readonly [low: number | bigint, high: number | bigint];

/**
 * Values of missing documents at either end, by type; types that are not listed have those of a
 * long.
 */
const EXTREMES: Readonly<Record<string, Extremes>> = {
  integer: INT,
  short: INT,
  byte: INT,
  boolean: INT,
  unsigned_long: [0, 18_446_744_073_709_551_615n],
};

/**
 * The value of documents without one. `_first` and `_last` become the least or the greatest value
 * of the type, as the product prints it in hits.
 */
export function missingNumber(key: FieldSort, isInteger: boolean, type = "long"): number | bigint {
  const isFirst = key.missing === "_first";
  const isLow = isFirst !== key.isDescending;
  if (isFirst || key.missing === "_last") {
    const [low, high] = isInteger ? (lookup(EXTREMES, type) ?? LONG) : [-Infinity, Infinity];
    return isLow ? low : high;
  }
  return parseNumber(key.missing, key.field, isInteger);
}

/**
 * A value of `search_after` or `missing` as a number.
 * @throws OperationError 400 `number_format_exception`
 */
export function parseNumber(
  value: Json,
  field: string,
  isInteger: boolean,
  type = "long",
): number | bigint {
  if (typeof value === "number" || typeof value === "bigint") {
    if (!isInteger) return value;
    // A client that reads numbers as doubles returns the greatest long as 2^63.
    const [, greatest] = lookup(EXTREMES, type) ?? LONG;
    if (value > greatest) return greatest;
    return typeof value === "number" && !Number.isInteger(value) ? Math.trunc(value) : value;
  }
  const text = javaText(value);
  const number = Number(text);
  if (text === "" || Number.isNaN(number)) {
    throw illegalArgument(`Failed to parse search_after value for field [${field}].`, {
      type: "number_format_exception",
      reason: forInputString(text),
      status: 400,
    });
  }
  return isInteger && !Number.isSafeInteger(number) && /^-?\d+$/.test(text)
    ? integerOf(text)
    : number;
}

/** The values of the field and the search. */
interface NumberInput {
  readonly values: NumberValues;
  readonly context: BuildContext;
}

/** The sort reader of a field with numbers. */
export function numberReader(
  key: FieldSort,
  field: CompiledField,
  { values, context }: NumberInput,
): SortReader {
  const name = field.aliasOf ?? field.name;
  const isDate = field.dateFormat !== undefined;
  /**
   * Values given and computed are as narrow as the field's: `0.1` in a request is the `0.1` that
   * hits of a float field print.
   */
  const narrow = (value: number | bigint): number | bigint =>
    values.isFloat === true ? Math.fround(Number(value)) : value;
  const missing = narrow(missingNumber(key, values.isInteger, field.type));
  const mode = key.mode ?? (key.isDescending ? "max" : "min");
  const children = childrenOf(key, field, context);
  const open = (segment: SegmentContext): SegmentSort => {
    const column = segment.reader.numbers(name);
    if (column === undefined) return { value: () => missing, rank: undefined, ranks: undefined };
    const ofChildren = children?.(segment);
    const value =
      ofChildren === undefined
        ? (doc: number): number | bigint =>
            column.has(doc)
              ? narrow(pick(values, column, { from: column.start(doc), to: column.end(doc) }, mode))
              : missing
        : (doc: number): number | bigint =>
            narrow(
              pickFrom(
                ofChildren(doc).flatMap((child) => readAll(values, column, child)),
                mode,
              ) ?? missing,
            );
    const isPlain =
      ofChildren === undefined &&
      column.isDense &&
      values.isIdentity &&
      !(column.values instanceof BigInt64Array);
    return {
      value,
      rank: { of: (doc) => Number(value(doc)), ofValue: Number },
      ranks: isPlain ? column.values : undefined,
      points: isPlain ? segment.reader.points(name) : undefined,
    };
  };
  return {
    isDescending: key.isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: false,
    print: undefined,
    open,
    parse: (value) => {
      if (!isDate || typeof value !== "string" || /^-?\d+$/.test(value))
        return narrow(parseNumber(value, key.field, values.isInteger, field.type));
      return parseDate(value, field, values);
    },
  };
}

/** A formatted date of `search_after`, in milliseconds, or in nanoseconds for `date_nanos`. */
function parseDate(text: string, field: CompiledField, { isNanos }: NumberValues): number | bigint {
  const format = field.dateFormat ?? dateFormatOf("strict_date_optional_time");
  const result = format.parse(text);
  if (result.kind === "failed") {
    throw illegalArgument(`Failed to parse search_after value for field [${field.name}].`, {
      type: "parse_exception",
      reason: `failed to parse date field [${text}] with format [${format.pattern}]`,
      status: 400,
    });
  }
  const { ms, nanos } = result.instant;
  return isNanos === true ? BigInt(ms) * 1_000_000n + BigInt(nanos) : ms;
}

/** Indices of a document's values in its column. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The value of a document. Values ascend, so the least and the greatest are at the ends. */
function pick(
  values: NumberValues,
  column: NumberColumn,
  { from, to }: Span,
  mode: SortMode,
): number | bigint {
  if (to - from === 1 || mode === "min") return values.read(column, from);
  if (mode === "max") return values.read(column, to - 1);
  const all: (number | bigint)[] = [];
  for (let i = from; i < to; i += 1) all.push(values.read(column, i));
  if (values.isInteger) return combineLongs(all, mode, !values.isIdentity);
  return pickFrom(all, mode) ?? 0;
}

/** All values of a document. */
function readAll(values: NumberValues, column: NumberColumn, doc: number): (number | bigint)[] {
  const all: (number | bigint)[] = [];
  if (!column.has(doc)) return all;
  for (let i = column.start(doc); i < column.end(doc); i += 1) all.push(values.read(column, i));
  return all;
}

/** The value of a mode over numbers in any order; `undefined`: there are none. */
export function pickFrom(
  all: readonly (number | bigint)[],
  mode: SortMode,
): number | bigint | undefined {
  const sorted = all.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [first] = sorted;
  if (first === undefined || mode === "min") return first;
  if (mode === "max") return sorted.at(-1);
  if (mode === "median") {
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1
      ? sorted[middle]
      : (Number(sorted[middle - 1]) + Number(sorted[middle])) / 2;
  }
  const sum = sorted.reduce<number>((total, value) => total + Number(value), 0);
  return mode === "sum" ? sum : sum / sorted.length;
}
