/** Sort keys made readable per segment, and the order between their values. */
import {
  illegalArgument,
  isJsonObject,
  OperationError,
  utf8Decode,
  utf8Encode,
  type Json,
} from "@orrery/stdx";
import type { NumberColumn, OrdinalColumn, SegmentReader } from "@orrery/segment";
import { haversineMeters } from "../queries/geo.ts";
import { buildQuery, shardProblem, type BuildContext } from "../queries/query.ts";
import { decodePoint } from "../mapping/types/geo-point.ts";
import { formatIp, parseIp } from "../mapping/types/ip.ts";
import type { CompiledField, NumberValues } from "../mapping/field.ts";
import { requireFieldData } from "./field-data.ts";
import type { FieldSort, SortKey, SortMode } from "../request/sort.ts";
import type { SortValue } from "../types.ts";
import { fieldType } from "../mapping/types/table.ts";
import { dateFormatOf } from "../dates/format.ts";
import type { SegmentContext } from "./searcher.ts";
import { combineLongs } from "./long-modes.ts";
import { nestedChildren, type ChildrenOf } from "./nested-children.ts";

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

export function sortReaders(keys: readonly SortKey[], context: BuildContext): SortReader[] {
  return keys.map((key) => {
    switch (key.kind) {
      case "score":
        return scoreReader(key.isDescending);
      case "doc":
        return docReader(key.isDescending);
      case "field":
        return fieldReader(key, context);
      case "geo-distance":
        return geoReader(key, context);
    }
  });
}

function scoreReader(isDescending: boolean): SortReader {
  return {
    isDescending,
    isMissingFirst: false,
    isScore: true,
    isDoc: false,
    print: undefined,
    open: () => ({ value: (_doc, score) => score, rank: undefined, ranks: undefined }),
    parse: (value) => parseNumber(value, "_score", false),
  };
}

function docReader(isDescending: boolean): SortReader {
  return {
    isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: true,
    print: undefined,
    open: ({ base }) => ({
      value: (doc) => base + doc,
      rank: { of: (doc) => base + doc, ofValue: Number },
      ranks: undefined,
    }),
    parse: (value) => parseNumber(value, "_doc", false),
  };
}

function fieldReader(key: FieldSort, context: BuildContext): SortReader {
  const field = context.mapping.compiledField(key.field);
  if (field === undefined) return unmappedReader(key, context);
  requireFieldData(field, context);
  if (field.name === "_id") return idReader(key);
  if (field.name === "_index") return indexReader(key, context.searcher.view.index);
  if (field.values.kind === "numbers")
    return numberReader(key, field, { values: field.values, context });
  if (field.values.kind === "terms") return termReader(key, field, context);
  throw illegalArgument(
    `can't sort on ${field.type} field without using specific sorting feature, like geo_distance`,
  );
}

function unmappedReader(key: FieldSort, context: BuildContext): SortReader {
  const type = key.unmappedType;
  if (type === undefined) {
    throw new OperationError(
      shardProblem(context.searcher, `No mapping found for [${key.field}] in order to sort on`),
    );
  }
  if (fieldType(type) === undefined) {
    throw illegalArgument(`No mapper found for type [${type}]`);
  }
  const isText =
    fieldType(type)?.family === "keyword" || fieldType(type)?.family === "text" || type === "ip";
  const isInteger = [
    "long",
    "integer",
    "short",
    "byte",
    "date",
    "date_nanos",
    "boolean",
    "unsigned_long",
  ].includes(type);
  const missing = isText ? missingText(key) : missingNumber(key, isInteger, type);
  return {
    isDescending: key.isDescending,
    isMissingFirst: key.missing === "_first",
    isScore: false,
    isDoc: false,
    print: undefined,
    open: () => ({ value: () => missing, rank: undefined, ranks: undefined }),
    parse: (value) => (isText ? (value as SortValue) : parseNumber(value, key.field, isInteger)),
  };
}

// ------------------------------------------------------------------------------------------ numbers

const LONG: Extremes = [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n];
const INT: Extremes = [-2_147_483_648, 2_147_483_647];

type Extremes = readonly [low: number | bigint, high: number | bigint];

/** What stands for a missing value at either end, by the type's width. */
const EXTREMES: Readonly<Record<string, Extremes>> = {
  integer: INT,
  short: INT,
  byte: INT,
  unsigned_long: [0, 18_446_744_073_709_551_615n],
};

function missingNumber(key: FieldSort, isInteger: boolean, type = "long"): number | bigint {
  const isFirst = key.missing === "_first";
  const isLow = isFirst !== key.isDescending;
  if (isFirst || key.missing === "_last") {
    const [low, high] = isInteger ? (EXTREMES[type] ?? LONG) : [-Infinity, Infinity];
    return isLow ? low : high;
  }
  return parseNumber(key.missing, key.field, isInteger);
}

function parseNumber(
  value: Json,
  field: string,
  isInteger: boolean,
  type = "long",
): number | bigint {
  if (typeof value === "number" || typeof value === "bigint") {
    if (!isInteger) return value;
    // A client that reads numbers as doubles sends the greatest long back as 2^63.
    const [, greatest] = EXTREMES[type] ?? LONG;
    if (value > greatest) return greatest;
    return typeof value === "number" && !Number.isInteger(value) ? Math.trunc(value) : value;
  }
  const text = String(value);
  const number = Number(text);
  if (text === "" || Number.isNaN(number)) {
    throw illegalArgument(`Failed to parse search_after value for field [${field}].`, {
      type: "number_format_exception",
      reason: `For input string: "${text}"`,
      status: 400,
    });
  }
  return isInteger && !Number.isSafeInteger(number) && /^-?\d+$/.test(text) ? BigInt(text) : number;
}

interface NumberInput {
  readonly values: NumberValues;
  readonly context: BuildContext;
}

function numberReader(
  key: FieldSort,
  field: CompiledField,
  { values, context }: NumberInput,
): SortReader {
  const name = field.aliasOf ?? field.name;
  const isDate = field.family === "date";
  const missing = missingNumber(key, values.isInteger, field.type);
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
              ? pick(values, column, { from: column.start(doc), to: column.end(doc) }, mode)
              : missing
        : (doc: number): number | bigint =>
            pickFrom(
              ofChildren(doc).flatMap((child) => readAll(values, column, child)),
              mode,
            ) ?? missing;
    const isPlain =
      ofChildren === undefined &&
      column.isDense &&
      values.isIdentity &&
      !(column.values instanceof BigInt64Array);
    return {
      value,
      rank: { of: (doc) => Number(value(doc)), ofValue: Number },
      ranks: isPlain ? column.values : undefined,
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
        return parseNumber(value, key.field, values.isInteger, field.type);
      return parseDate(value, field);
    },
  };
}

function parseDate(text: string, field: CompiledField): number | bigint {
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
  return field.type === "date_nanos" ? BigInt(ms) * 1_000_000n + BigInt(nanos) : ms;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Values of a document are ascending, so the least and the greatest stand at the ends. */
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

function readAll(values: NumberValues, column: NumberColumn, doc: number): (number | bigint)[] {
  const all: (number | bigint)[] = [];
  if (!column.has(doc)) return all;
  for (let i = column.start(doc); i < column.end(doc); i += 1) all.push(values.read(column, i));
  return all;
}

function pickFrom(all: readonly (number | bigint)[], mode: SortMode): number | bigint | undefined {
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

// ------------------------------------------------------------------------------------------ terms

function missingText(key: FieldSort): SortValue {
  if (key.missing === "_first" || key.missing === "_last") return null;
  return isJsonObject(key.missing) || Array.isArray(key.missing) ? null : String(key.missing);
}

/** Boolean fields sort as the numbers 0 and 1; addresses by their bytes. */
function termReader(key: FieldSort, field: CompiledField, context: BuildContext): SortReader {
  const name = field.aliasOf ?? field.name;
  const isBoolean = field.family === "boolean";
  const isIp = field.family === "ip";
  const missing = isBoolean
    ? missingNumber(key, true)
    : isIp && missingText(key) !== null
      ? binaryText(parseIp(String(key.missing)))
      : missingText(key);
  const decode = (term: Uint8Array): SortValue =>
    isBoolean ? (term[0] === 84 ? 1 : 0) : isIp ? binaryText(term) : utf8Decode(term);
  const isMax = (key.mode ?? (key.isDescending ? "max" : "min")) === "max";
  const children = childrenOf(key, field, context);
  const open = (segment: SegmentContext): SegmentSort => {
    const column = segment.reader.ordinals(name);
    if (column === undefined) return { value: () => missing, rank: undefined, ranks: undefined };
    const ofChildren = children?.(segment);
    const ordOf = (doc: number): number =>
      ofChildren === undefined
        ? pickOrd(column, doc, isMax)
        : pickOrdOf(column, ofChildren(doc), isMax);
    const { dictionary } = column;
    return {
      value: (doc) => {
        const ord = ordOf(doc);
        return ord < 0 ? missing : decode(dictionary.term(ord));
      },
      rank: rankOf(column, ordOf, {
        missing,
        isBoolean,
        isIp,
        isMissingFirst: key.missing === "_first",
        isDescending: key.isDescending,
      }),
      ranks:
        column.isDense && ofChildren === undefined && missing === null ? column.ords : undefined,
    };
  };
  return {
    isDescending: key.isDescending,
    isMissingFirst: key.missing === "_first",
    isScore: false,
    isDoc: false,
    print: isIp
      ? (value) => (typeof value === "string" ? formatIp(bytesOfBinary(value)) : value)
      : undefined,
    open,
    parse: (value) => {
      if (value === null) return null;
      if (isBoolean)
        return value === true || value === "true"
          ? 1
          : value === false || value === "false"
            ? 0
            : parseNumber(value, key.field, true);
      return isIp ? binaryText(parseIp(String(value))) : String(value);
    },
  };
}

interface RankOptions {
  readonly missing: SortValue;
  readonly isBoolean: boolean;
  readonly isIp: boolean;
  readonly isMissingFirst: boolean;
  readonly isDescending: boolean;
}

/** Ordinals doubled, so that a value between two terms gets an odd rank. Only where missing values stay apart. */
function rankOf(
  column: OrdinalColumn,
  ordOf: (doc: number) => number,
  options: RankOptions,
): SegmentSort["rank"] {
  if (options.missing !== null || options.isBoolean) return undefined;
  const { dictionary } = column;
  const last = options.isMissingFirst === options.isDescending ? Infinity : -Infinity;
  return {
    of: (doc) => {
      const ord = ordOf(doc);
      return ord < 0 ? last : ord;
    },
    ofValue: (value) => {
      if (value === null) return last;
      const term = options.isIp ? bytesOfBinary(String(value)) : utf8Encode(String(value));
      const found = dictionary.find(term);
      return found >= 0 ? found : dictionary.ceiling(term) - 0.5;
    },
  };
}

function pickOrd(column: OrdinalColumn, doc: number, isMax: boolean): number {
  const start = column.start(doc);
  const end = column.end(doc);
  if (end <= start) return -1;
  return column.ords[isMax ? end - 1 : start] as number;
}

function pickOrdOf(column: OrdinalColumn, docs: readonly number[], isMax: boolean): number {
  let best = -1;
  for (const doc of docs) {
    const ord = pickOrd(column, doc, isMax);
    if (ord >= 0 && (best < 0 || (isMax ? ord > best : ord < best))) best = ord;
  }
  return best;
}

function idReader(key: FieldSort): SortReader {
  return {
    isDescending: key.isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: false,
    print: undefined,
    open: ({ reader }: { reader: SegmentReader }) => ({
      value: (doc) => reader.id(doc),
      rank: undefined,
      ranks: undefined,
    }),
    parse: (value) => (value === null ? null : String(value)),
  };
}

/** Every document of the shard has the same value. */
function indexReader(key: FieldSort, index: string): SortReader {
  return {
    ...idReader(key),
    open: () => ({ value: () => index, rank: undefined, ranks: undefined }),
  };
}

/** Bytes as a text whose order is the bytes' order. */
function binaryText(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function bytesOfBinary(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

// ------------------------------------------------------------------------------------------ geo, nested

function geoReader(
  key: Extract<SortKey, { kind: "geo-distance" }>,
  context: BuildContext,
): SortReader {
  const field = context.mapping.compiledField(key.field);
  if (field === undefined)
    throw illegalArgument(`failed to find mapper for [${key.field}] for geo distance based sort`);
  const mode = key.mode ?? (key.isDescending ? "max" : "min");
  return {
    isDescending: key.isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: false,
    print: undefined,
    open: ({ reader }) => {
      const column = reader.numbers(field.aliasOf ?? field.name);
      const value = (doc: number): SortValue => {
        if (column === undefined || !column.has(doc))
          return key.isDescending ? -Infinity : Infinity;
        const distances: number[] = [];
        for (let i = column.start(doc); i < column.end(doc); i += 1) {
          const point = decodePoint(column.bigintAt(i));
          for (const origin of key.points)
            distances.push(haversineMeters(origin, point) / key.unitMeters);
        }
        return pickFrom(distances, mode) ?? Infinity;
      };
      return {
        value,
        rank: { of: (doc) => Number(value(doc)), ofValue: Number },
        ranks: undefined,
      };
    },
    parse: (value) => parseNumber(value, key.field, false),
  };
}

function childrenOf(
  key: FieldSort,
  field: CompiledField,
  context: BuildContext,
): ((segment: SegmentContext) => ChildrenOf) | undefined {
  const path = key.nested?.path ?? field.nestedPath;
  if (path === undefined || path === context.nestedPath) return undefined;
  const filter = key.nested?.filter;
  const plan =
    filter === undefined ? undefined : buildQuery(filter, { ...context, nestedPath: path }, 1);
  return nestedChildren(path, plan, context.searcher);
}

// ------------------------------------------------------------------------------------------ order

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
