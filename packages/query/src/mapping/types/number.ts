/**
 * The numeric types. 64-bit integers are kept exactly; `scaled_float` is stored as a scaled long,
 * `unsigned_long` as a long shifted by 2^63, so that both sort as longs. Source:
 * `NumberFieldMapper`, `ScaledFloatFieldMapper`.
 */
import type { NumberColumn } from "@orrery/segment";
import { forInputString, illegalArgument, OperationError, type Json } from "@orrery/stdx";
import { javaDouble } from "../../json/json-text.ts";
import { treeText, integerOf, JsonLiteral, type JsonTree } from "../../json/exact-json.ts";
import type {
  CompiledType,
  CompileInput,
  DocumentSink,
  FieldType,
  NumberValues,
} from "../../language/field-type.ts";
import { explicitFlag, decimal, flag, meta, textOf } from "../parameters.ts";
import type { Parameter, Parameters } from "../../language/parameter.ts";
import { coercionFailure, tokenName } from "./coercion.ts";
import { nextDown, nextUp, nextUpFloat, nextUpHalf, roundToHalf } from "./float-steps.ts";

/** A bigint only beyond 2^53, except for `unsigned_long`. */
type Num = number | bigint;

/** The properties by which numeric types differ. */
interface Kind {
  /** Name of the type. */
  readonly name: string;
  /** The type with its article in errors: `an integer`. */
  readonly article: string;
  /** The Java class in errors. */
  readonly javaName: string;
  readonly isInteger: boolean;
  readonly min: bigint;
  readonly max: bigint;
  /**
   * The type of Jackson's accessor, whose error reports numbers out of range; `undefined`: the
   * field reports them.
   */
  readonly token: string | undefined;
  /** Type of the error for a text that is no number. */
  readonly nonsense: "number_format_exception" | "illegal_argument_exception";
}

/** Shift of unsigned longs. */
const BIAS = 1n << 63n;

function integerKind(
  name: string,
  article: string,
  javaName: string,
  bits: number,
  token?: string,
): Kind {
  const limit = 1n << BigInt(bits - 1);
  const thrown = name === "long" ? "illegal_argument_exception" : "number_format_exception";
  return {
    name,
    article,
    javaName,
    isInteger: true,
    min: -limit,
    max: limit - 1n,
    token,
    nonsense: thrown,
  };
}

function floatKind(name: string, javaName: string): Kind {
  return {
    name,
    article: name,
    javaName,
    isInteger: false,
    min: 0n,
    max: 0n,
    token: undefined,
    nonsense: "number_format_exception",
  };
}

/** Bytes are read as ints by the product's parser, so the field reports those out of range. */
const BYTE = integerKind("byte", "a byte", "Integer", 8);
const SHORT = integerKind("short", "a short", "Short", 16, "short");
const INTEGER = integerKind("integer", "an integer", "Integer", 32, "int");
const LONG = integerKind("long", "a long", "Long", 64, "long");
const UNSIGNED_LONG: Kind = {
  ...integerKind("unsigned_long", "an unsigned long", "BigInteger", 64),
  min: 0n,
  max: (1n << 64n) - 1n,
};
const FLOAT = floatKind("float", "Float");
const HALF_FLOAT = floatKind("half_float", "Float");
const DOUBLE = floatKind("double", "Double");

export const byteType: FieldType = numberType(BYTE);
export const shortType: FieldType = numberType(SHORT);
export const integerType: FieldType = numberType(INTEGER);
export const longType: FieldType = numberType(LONG);
export const unsignedLongType: FieldType = numberType(UNSIGNED_LONG);
export const floatType: FieldType = numberType(FLOAT);
export const halfFloatType: FieldType = numberType(HALF_FLOAT);
export const doubleType: FieldType = numberType(DOUBLE);

/** The field type `scaled_float`. */
export const scaledFloatType: FieldType = {
  parameters: {
    index: flag(true),
    doc_values: flag(true),
    store: flag(false),
    ignore_malformed: explicitFlag(false),
    meta,
    scaling_factor: { ...decimal(null), isAlwaysPrinted: true, isRequired: true },
    coerce: explicitFlag(true),
    null_value: {
      fallback: null,
      canUpdate: false,
      parse: (value) => numberFromText(textOf(value), DOUBLE),
    },
    skip_list: flag(false),
  },
  compile: compileScaled,
  check: (_, { scaling_factor: factor }) => {
    if (typeof factor === "number" && (factor <= 0 || !Number.isFinite(factor)))
      throw illegalArgument(
        `[scaling_factor] must be a positive number, got [${javaDouble(factor)}]`,
      );
  },
};

/** The row of a numeric type. */
function numberType(kind: Kind): FieldType {
  const nullValue: Parameter = {
    fallback: null,
    canUpdate: false,
    parse: (value) => queryNumber(value, kind, true),
  };
  const parameters: Parameters = {
    index: flag(true),
    doc_values: flag(true),
    store: flag(false),
    skip_list: flag(false),
    ignore_malformed: explicitFlag(false),
    coerce: explicitFlag(true),
    null_value: nullValue,
    meta,
  };
  return {
    parameters,
    ...(kind.isInteger ? { sortsAs: "integers" } : {}),
    compile: (input) => compileNumber(kind, input),
  };
}

function compileNumber(kind: Kind, input: CompileInput): CompiledType {
  const { parameters, coerceDefault, ignoreMalformedDefault, name } = input;
  const coerce =
    parameters["coerce"] !== undefined
      ? parameters["coerce"] === true && coerceDefault
      : coerceDefault;
  const isIndexed = parameters["index"] === true;
  const hasDocValues = parameters["doc_values"] === true;
  const spec = {
    name,
    type: kind.isInteger ? "long" : "double",
    index: "none",
    norms: false,
    docValues: hasDocValues,
    points: isIndexed,
  } as const;
  const isKept = isIndexed || hasDocValues;
  const toIndex = indexer(kind, coerce);
  return {
    spec,
    values: numberValues(kind),
    index: (value, sink) => {
      const number = toIndex(value, sink);
      if (isKept && number !== undefined) sink.add(spec, number);
    },
    nullValue: (parameters["null_value"] as JsonTree | null) ?? undefined,
    ignoreMalformed: parameters["ignore_malformed"] === true || ignoreMalformedDefault,
    present: (value) => presentNumber(value, kind),
    hasConstantTermScore: true,
    isCollapsible: true,
    isIndexed,
    hasDocValues,
  };
}

function compileScaled(input: CompileInput): CompiledType {
  const { parameters, name, coerceDefault, ignoreMalformedDefault } = input;
  const factor = Number(parameters["scaling_factor"]);
  const coerce = parameters["coerce"] === true && coerceDefault;
  const isIndexed = parameters["index"] === true;
  const hasDocValues = parameters["doc_values"] === true;
  const toDouble = indexer(DOUBLE, coerce);
  const spec = {
    name,
    type: "long",
    index: "none",
    norms: false,
    docValues: hasDocValues,
    points: isIndexed,
  } as const;
  const isKept = isIndexed || hasDocValues;
  return {
    spec,
    values: scaledValues(factor),
    index: (value, sink) => {
      const number = toDouble(value, sink);
      if (isKept && number !== undefined) sink.add(spec, javaRound(Number(number) * factor));
    },
    nullValue: (parameters["null_value"] as JsonTree | null) ?? undefined,
    ignoreMalformed: parameters["ignore_malformed"] === true || ignoreMalformedDefault,
    present: (value) => {
      const number = presentNumber(value, DOUBLE);
      return number === undefined ? undefined : javaRound(Number(number) * factor) / factor;
    },
    hasConstantTermScore: true,
    isCollapsible: true,
    isIndexed,
    hasDocValues,
  };
}

/** `Math.round` of Java, in doubles. */
function javaRound(value: number): number {
  return Math.floor(value + 0.5);
}

// ------------------------------------------------------------------------------------------ values in

/**
 * Reads a document's value; `undefined`: an empty text, which counts as missing if values are
 * coerced.
 */
function indexer(
  kind: Kind,
  coerce: boolean,
): (value: JsonTree, sink: DocumentSink) => Num | undefined {
  const isSmall = kind.isInteger && kind !== LONG && kind !== UNSIGNED_LONG;
  const min = Number(kind.min);
  const max = Number(kind.max);
  return (value, sink) => {
    // The usual case first: an integer in range.
    if (typeof value === "number" && kind.isInteger && Number.isSafeInteger(value)) {
      if (kind === LONG || (isSmall && value >= min && value <= max)) return value;
    }
    if (value === "" && coerce) return undefined;
    const number = readValue(value, kind, coerce, sink);
    return toIndexDomain(number, kind, value);
  };
}

/** The value as it is stored: shifted, exact, or rounded to the type's precision. */
function toIndexDomain(number: Num, kind: Kind, given: JsonTree): Num {
  if (kind === UNSIGNED_LONG) return BigInt(number) - BIAS;
  if (kind.isInteger) return narrow(number);
  const double = Number(number);
  const rounded =
    kind === FLOAT ? Math.fround(double) : kind === HALF_FLOAT ? roundToHalf(double) : double;
  if (!Number.isFinite(rounded)) {
    const shown =
      typeof given === "string" && !Number.isFinite(Number(given))
        ? javaDouble(Number(given))
        : javaDouble(kind === FLOAT ? Math.fround(double) : double);
    throw illegalArgument(`[${kind.name}] supports only finite values, but got [${shown}]`);
  }
  return rounded;
}

/** A number if it is exact, else a bigint. */
function narrow(value: Num): Num {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : BigInt(value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The number of a token or text; without coercion texts and fractions are rejected. */
function readValue(value: JsonTree, kind: Kind, coerce: boolean, sink: DocumentSink): Num {
  if (typeof value === "string") {
    if (!coerce) throw illegalArgument(`${kind.javaName} value passed as String`);
    return numberFromText(value, kind);
  }
  const number = value instanceof JsonLiteral ? value.value : value;
  if (typeof number !== "number" && typeof number !== "bigint") {
    throw coercionFailure(
      `Current token (${tokenName(value)}) not numeric, cannot use numeric value accessors`,
      sink,
    );
  }
  if (!kind.isInteger) return number;
  if (typeof number === "number" && !Number.isInteger(number)) {
    if (!coerce)
      throw illegalArgument(
        `${javaDouble(number)} cannot be converted to ${kind.javaName} without data loss`,
      );
    return checkRange(Math.trunc(number), kind, value, sink);
  }
  return checkRange(number, kind, value, sink);
}

function checkRange(number: Num, kind: Kind, given: JsonTree, sink: DocumentSink): Num {
  if (fits(number, kind)) return number;
  const literal = treeText(given);
  if (kind.token === undefined) throw outOfRange(literal, kind);
  // The product's parser reads a short as an int first, and reports that range for larger numbers.
  const { token, min, max } = fits(number, INTEGER) || kind === LONG ? kind : INTEGER;
  const what = `Numeric value (${literal}) out of range of \`${token}\` (${min} - ${max})`;
  throw coercionFailure(what, sink);
}

function fits(number: Num, { min, max }: Kind): boolean {
  return number >= min && number <= max;
}

function outOfRange(literal: string, kind: Kind): OperationError {
  return illegalArgument(`Value [${literal}] is out of range for ${kind.article}`);
}

/** The number of a text; integers are cut (`"1.5"` is 1). */
function numberFromText(text: string, kind: Kind): Num {
  if (
    !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?$/.test(text) &&
    !isNamedNumber(text, kind)
  ) {
    throw nonsense(text, kind);
  }
  if (!kind.isInteger) return Number(text.replace(/[dDfF]$/, ""));
  const [, whole] = /^\+?(-?\d+)(?:\.\d*)?$/.exec(text) ?? [];
  const rounded = whole === undefined ? Math.trunc(Number(text.replace(/[dDfF]$/, ""))) : 0;
  if (!Number.isFinite(rounded)) throw outOfRange(text, kind);
  const number = whole === undefined ? BigInt(rounded) : integerOf(whole);
  if (number < kind.min || number > kind.max) throw outOfRange(text, kind);
  return number;
}

/** `NaN` and `Infinity`, which only floats accept. */
function isNamedNumber(text: string, kind: Kind): boolean {
  return !kind.isInteger && /^[+-]?(?:NaN|Infinity)$/.test(text);
}

function nonsense(text: string, kind: Kind): OperationError {
  const reason = text === "" ? "empty String" : forInputString(text);
  return new OperationError({ type: kind.nonsense, reason, status: 400 });
}

/**
 * A number as clients see it; `undefined` for malformed values, which were ignored when they were
 * indexed.
 */
function presentNumber(value: JsonTree, kind: Kind): Json | undefined {
  const number = value instanceof JsonLiteral ? value.value : value;
  try {
    if (typeof number === "string")
      return number === "" ? undefined : narrow(numberFromText(number, kind));
  } catch {
    // Malformed values that were ignored at index time are not shown.
    return undefined;
  }
  if (typeof number === "bigint") return kind.isInteger ? narrow(number) : Number(number);
  if (typeof number !== "number") return undefined;
  if (kind.isInteger) return Math.trunc(number);
  return kind === FLOAT ? Math.fround(number) : kind === HALF_FLOAT ? roundToHalf(number) : number;
}

// ------------------------------------------------------------------------------------------ queries

/** The number of a query's value. Fractions in texts are rejected for integers if `isStrict`. */
function queryNumber(value: Json, kind: Kind, isStrict: boolean): Num {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  const text = textOf(value);
  if (!kind.isInteger || isStrict) return numberFromText(text, kind);
  if (/^[+-]?\d+$/.test(text)) return integerOf(text);
  return Number(numberFromText(text, DOUBLE));
}

function numberValues(kind: Kind): NumberValues {
  if (kind.isInteger) return integerValues(kind);
  return floatValues(kind);
}

/** Bounds are rounded to integers inwards and clipped to the range of the type. */
function integerValues(kind: Kind): NumberValues {
  const isUnsigned = kind === UNSIGNED_LONG;
  const toIndex = (value: bigint): Num => (isUnsigned ? value - BIAS : narrow(value));
  const floor = (number: Num): bigint =>
    typeof number === "bigint"
      ? number
      : BigInt(Number.isFinite(number) ? Math.floor(number) : number > 0 ? 1e300 : -1e300);
  return {
    kind: "numbers",
    isInteger: true,
    lower: (value, isInclusive) => {
      const number = queryNumber(value, kind, false);
      const isWhole = typeof number === "bigint" || Number.isInteger(number);
      const bound = floor(number) + (isWhole && isInclusive ? 0n : 1n);
      if (bound > kind.max) return undefined;
      return toIndex(bound < kind.min ? kind.min : bound);
    },
    upper: (value, isInclusive) => {
      const number = queryNumber(value, kind, false);
      const isWhole = typeof number === "bigint" || Number.isInteger(number);
      const bound = floor(number) - (isWhole && !isInclusive ? 1n : 0n);
      if (bound < kind.min) return undefined;
      return toIndex(bound > kind.max ? kind.max : bound);
    },
    exact: (value) => {
      const number = queryNumber(value, kind, false);
      if (typeof number === "number" && !Number.isInteger(number)) return undefined;
      const exact = BigInt(number);
      if (exact < kind.min || exact > kind.max) throw outOfRange(textOf(value), kind);
      return toIndex(exact);
    },
    isIdentity: !isUnsigned,
    double: isUnsigned
      ? (column, index) => Number(column.bigintAt(index) + BIAS)
      : (column, index) => column.valueAt(index),
    read: isUnsigned ? (column, index) => narrow(column.bigintAt(index) + BIAS) : readLong,
    write: isUnsigned ? (value) => BigInt(value) - BIAS : (value) => value,
  };
}

/** The long of a column: a number if it is exact, else a bigint. */
export function readLong(column: NumberColumn, index: number): Num {
  const value = column.valueAt(index);
  return Number.isSafeInteger(value) ? value : column.bigintAt(index);
}

/** Bounds are rounded to the precision of the type; exclusive ones to the next value. */
function floatValues(kind: Kind): NumberValues {
  const round = (value: Json): number => {
    const number = Number(queryNumber(value, kind, false));
    const rounded =
      kind === FLOAT ? Math.fround(number) : kind === HALF_FLOAT ? roundToHalf(number) : number;
    if (!Number.isFinite(rounded))
      throw illegalArgument(
        `[${kind.name}] supports only finite values, but got [${javaDouble(rounded)}]`,
      );
    return rounded;
  };
  const up = (value: number): number =>
    kind === FLOAT ? nextUpFloat(value) : kind === HALF_FLOAT ? nextUpHalf(value) : nextUp(value);
  return {
    kind: "numbers",
    isInteger: false,
    isFloat: kind !== DOUBLE,
    lower: (value, isInclusive) => (isInclusive ? round(value) : up(round(value))),
    upper: (value, isInclusive) => (isInclusive ? round(value) : -up(-round(value))),
    exact: round,
    isIdentity: true,
    double: (column, index) => column.valueAt(index),
    read: (column, index) => column.valueAt(index),
    write: (value) => value,
  };
}

/** Bounds and values are scaled, then rounded. */
function scaledValues(factor: number): NumberValues {
  const scaled = (value: Json): number => Number(queryNumber(value, DOUBLE, false)) * factor;
  return {
    kind: "numbers",
    isInteger: false,
    lower: (value, isInclusive) =>
      javaRound(Math.ceil(isInclusive ? scaled(value) : nextUp(scaled(value)))),
    upper: (value, isInclusive) =>
      javaRound(Math.floor(isInclusive ? scaled(value) : nextDown(scaled(value)))),
    exact: (value) => javaRound(scaled(value)),
    isIdentity: false,
    double: (column, index) => column.valueAt(index) / factor,
    read: (column, index) => column.valueAt(index) / factor,
    write: (value) => javaRound(Number(value) * factor),
  };
}
