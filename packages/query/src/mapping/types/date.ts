/**
 * `date` (milliseconds) and `date_nanos` (nanoseconds), both of Unix time. Source:
 * `DateFieldMapper`.
 */
import { javaText, illegalArgument, OperationError, type Json } from "@orrery/stdx";
import { innerFailure, parseDateMath } from "../../dates/date-math.ts";
import {
  dateFormatOf,
  DEFAULT_DATE_FORMAT,
  type DateFormat,
  type Instant,
} from "../../dates/format.ts";
import { UTC, zoneOf } from "../../dates/zone.ts";
import { JsonLiteral, type JsonTree } from "../../json/exact-json.ts";
import type {
  BoundContext,
  CompiledType,
  CompileInput,
  DocumentSink,
  FieldType,
  NumberValues,
} from "../../language/field-type.ts";
import { explicitFlag, decimal, flag, meta, text, textOf } from "../parameters.ts";
import type { Parameters } from "../../language/parameter.ts";
import { stringOf } from "./text.ts";
import { readLong } from "./number.ts";

const parameters: Parameters = {
  index: flag(true),
  doc_values: flag(true),
  store: flag(false),
  skip_list: flag(false),
  format: {
    fallback: DEFAULT_DATE_FORMAT,
    canUpdate: false,
    parse: (value, { field }) => checkFormat(textOf(value), field),
  },
  print_format: text("strict_date_optional_time"),
  locale: text(""),
  null_value: text(null),
  ignore_malformed: explicitFlag(false),
  boost: decimal(1, true),
  meta,
};

/** The field type `date`. */
export const dateType: FieldType = {
  sortsAs: "integers",
  parameters,
  compile: (input) => compileDate(input, false),
};
/** The field type `date_nanos`. */
export const dateNanosType: FieldType = {
  sortsAs: "integers",
  parameters,
  compile: (input) => compileDate(input, true),
};

function checkFormat(pattern: string, field: string): string {
  try {
    dateFormatOf(pattern);
    return pattern;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw illegalArgument(
      `Error parsing [format] on field [${field}]: ${error.problem.reason}`,
      error.problem,
    );
  }
}

function compileDate(input: CompileInput, isNanos: boolean): CompiledType {
  const { name, parameters: given, ignoreMalformedDefault } = input;
  const format = dateFormatOf(javaText(given["format"]));
  const isIndexed = given["index"] === true;
  const hasDocValues = given["doc_values"] === true;
  const spec = {
    name,
    type: "long",
    index: "none",
    norms: false,
    docValues: hasDocValues,
    points: isIndexed,
  } as const;
  const isKept = isIndexed || hasDocValues;
  const toIndex = isNanos
    ? (value: string) => nanosOf(value, format)
    : (value: string) => msOf(value, format);
  return {
    spec,
    values: dateValues(format, isNanos),
    index: (value, sink) => {
      const index = toIndex(dateText(value, sink));
      if (isKept) sink.add(spec, index);
    },
    nullValue: (given["null_value"] as string | null) ?? undefined,
    ignoreMalformed: given["ignore_malformed"] === true || ignoreMalformedDefault,
    dateFormat: format,
    present: (value, pattern) => presentDate(value, format, pattern),
    hasConstantTermScore: true,
    isIndexed,
    hasDocValues,
  };
}

/** The text of a value. Integers are texts too, and do not need their literal. */
function dateText(value: JsonTree, sink: DocumentSink): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return stringOf(value, sink);
}

function msOf(given: string, format: DateFormat): number {
  const ms = format.parseMs(given);
  if (Number.isNaN(ms)) throw badDate(given, format);
  return ms;
}

function nanosOf(given: string, format: DateFormat): bigint {
  const result = format.parse(given);
  if (result.kind === "failed") throw badDate(given, format);
  return toNanos(result.instant);
}

/** Last millisecond whose nanoseconds fit a long. */
const MAX_NANOS_MS = 9_223_372_036_854;

function toNanos(instant: Instant): bigint {
  const shown = (): string => dateFormatOf("date_time_no_millis").format(instant, UTC);
  if (instant.ms < 0) {
    throw illegalArgument(
      `date[${shown()}] is before the epoch in 1970 and cannot be stored in nanosecond resolution`,
    );
  }
  if (instant.ms > MAX_NANOS_MS) {
    throw illegalArgument(
      `date[${shown()}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution`,
    );
  }
  return BigInt(instant.ms) * 1_000_000n + BigInt(instant.nanos);
}

/** The product's error for a text that no format parses. */
function badDate(given: string, format: DateFormat): OperationError {
  if (given === "") return illegalArgument("cannot parse empty date");
  const result = format.parse(given);
  const at = result.kind === "failed" ? result.at : 0;
  if (result.kind === "failed" && result.reason !== undefined && format.alternatives === 1) {
    return new OperationError({ type: "date_time_exception", reason: result.reason, status: 400 });
  }
  const inner = {
    type: "date_time_parse_exception",
    reason: innerFailure(given, format, at),
    status: 400,
  };
  return illegalArgument(
    `failed to parse date field [${given}] with format [${format.pattern}]`,
    inner,
  );
}

function presentDate(
  value: JsonTree,
  format: DateFormat,
  pattern: string | undefined,
): Json | undefined {
  const given = value instanceof JsonLiteral ? value.text : value;
  if (given === null || typeof given === "object" || typeof given === "boolean") return undefined;
  const result = format.parse(javaText(given));
  if (result.kind === "failed") return undefined;
  return (pattern === undefined ? format : dateFormatOf(pattern)).format(result.instant, UTC);
}

/**
 * Bounds of ranges are parsed with date math; an exclusive lower and an inclusive upper bound are
 * rounded up to the end of their unit.
 */
function dateValues(format: DateFormat, isNanos: boolean): NumberValues {
  const parse = (value: Json, roundUp: boolean, context: BoundContext): Instant => {
    const zone = context.timeZone === undefined ? UTC : zoneOf(context.timeZone);
    const used = context.format ?? format;
    return parseDateMath(textOf(value), used, { nowMs: context.nowMs, zone, roundUp });
  };
  const index = (instant: Instant): number | bigint =>
    isNanos ? BigInt(instant.ms) * 1_000_000n + BigInt(instant.nanos) : instant.ms;
  const step = (value: number | bigint, by: 1 | -1): number | bigint =>
    typeof value === "bigint" ? value + BigInt(by) : value + by;
  return {
    kind: "numbers",
    isInteger: true,
    lower: (value, isInclusive, context) => {
      const bound = index(parse(value, !isInclusive, context));
      return isInclusive ? bound : step(bound, 1);
    },
    upper: (value, isInclusive, context) => {
      const bound = index(parse(value, isInclusive, context));
      return isInclusive ? bound : step(bound, -1);
    },
    exact: () => undefined,
    isIdentity: !isNanos,
    isNanos,
    double: isNanos
      ? (column, at) => Number(column.bigintAt(at) / 1_000_000n)
      : (column, at) => column.valueAt(at),
    read: readLong,
    write: (value) => value,
  };
}
