/**
 * The contract of field types: how a JSON value enters the index, and how queries, sorts and
 * aggregations read it back. No other file compares the name of a type; they read the properties of
 * the compiled field. Source: `MappedFieldType`, `FieldMapper`.
 */
import type { Analysis, Analyzer, Growth } from "@orrery/analysis";
import type { FieldSpec, NumberColumn, SegmentReader } from "@orrery/segment";
import type { Json, JsonObject } from "@orrery/stdx";
import type { DateFormat } from "../dates/format.ts";
import type { JsonTree } from "../json/exact-json.ts";
import type { BuildContext } from "./query.ts";
import type { Plan } from "./plan.ts";
import type { MappedField } from "./mapping.ts";
import type { HitValue } from "./hits.ts";
import type { Parameters } from "./parameter.ts";

/** Receives the indexed values of a document while it is parsed. */
export interface DocumentSink {
  /** Adds one value to the field's index structures. */
  add(field: FieldSpec, value: string | number | bigint | Uint8Array): void;
  /**
   * The place of the current value in the source; `undefined` on the first pass, which does not
   * track places.
   */
  readonly location: (() => ValueLocation) | undefined;
  /**
   * Asks for numbers as literals, which only the second, careful pass keeps. On the first pass it
   * does not return: the document is parsed again.
   */
  needLiterals(): void;
  /** Counts what analysis produces for the document; `undefined`: nothing is analyzed. */
  readonly growth: Growth | undefined;
}

/** Place of a value in the source; lines and columns from 1. */
export interface ValueLocation {
  readonly line: number;
  readonly col: number;
  /** Offset of the byte after the value's first token. */
  readonly tokenEnd: number;
}

/** Values that are terms in byte order: text, keyword, ip, boolean, constant_keyword, metadata. */
export interface TermValues {
  readonly kind: "terms";
  /**
   * How a bucket holds a term until it is printed: `boolean` as 0 or 1 (in sorts, too), `ip` as its
   * bytes. `undefined`: as the text of `decode`.
   */
  readonly format?: "boolean" | "ip";
  /** Terms are no UTF-8 text: sort values are their bytes, printed by `decode`. */
  readonly isBinary?: boolean;
  /**
   * The first and last term of the block that a value of a query names (`10.0.0.0/8`); `undefined`:
   * it names one term.
   */
  blockOf?(value: string): { readonly first: Uint8Array; readonly last: Uint8Array } | undefined;
  /**
   * The term for a value of a query.
   * @throws OperationError 400 if the type has no such value
   */
  encode(value: Json): Uint8Array;
  /** The value of a term as clients see it. */
  decode(term: Uint8Array): string | boolean;
}

/**
 * Values that are numbers in columns and points. Index values may differ from those of clients
 * (scaled floats, unsigned longs).
 */
export interface NumberValues {
  readonly kind: "numbers";
  /** Index values are integers. */
  readonly isInteger: boolean;
  /** Sorts compare and print values as 32-bit floats. */
  readonly isFloat?: boolean;
  /**
   * The least index value that is ≥ the value of a query, or > if exclusive; `undefined`: there is
   * none.
   */
  lower(value: Json, isInclusive: boolean, context: BoundContext): number | bigint | undefined;
  /**
   * The greatest index value that is ≤ the value of a query, or < if exclusive; `undefined`: there
   * is none.
   */
  upper(value: Json, isInclusive: boolean, context: BoundContext): number | bigint | undefined;
  /**
   * The index value that a `term` query searches; `undefined`: no document can have it.
   * @throws OperationError 400 if the type has no such value
   */
  exact(value: Json): number | bigint | undefined;
  /** The double with which aggregations compute. */
  double(column: NumberColumn, index: number): number;
  /** `double` is `column.valueAt(index)`, so loops read columns directly. */
  readonly isIdentity: boolean;
  /** Index values of dates count nanoseconds of Unix time instead of milliseconds. */
  readonly isNanos?: boolean;
  /** The exact value that sorts and doc values print. */
  read(column: NumberColumn, index: number): number | bigint;
  /** The index value for a result of `read`, or for a number of `search_after` or `missing`. */
  write(value: number | bigint): number | bigint;
}

/** The context in which bounds with date math are resolved. */
export interface BoundContext {
  readonly nowMs: number;
  readonly format: DateFormat | undefined;
  readonly timeZone: string | undefined;
}

/**
 * The values of a type without terms and numbers. A query of terms, ranges or patterns is rejected
 * unless the type answers it itself (`FieldQueries`).
 */
export interface NoValues {
  readonly kind: "none" | "binary" | "geo_point";
}

export type FieldValues = TermValues | NumberValues | NoValues;

/**
 * Queries that a field type answers itself. All others are answered from its terms and numbers, or
 * rejected if it has neither.
 */
export interface FieldQueries {
  /**
   * `term`, `terms`: documents with any of the values.
   * @throws OperationError 400
   */
  anyOf?(context: BuildContext, values: readonly Json[], boost: number): Plan;
  /** `range`: documents with a value within the bounds. */
  range?(context: BuildContext, bounds: RangeBounds, boost: number): Plan;
  /** `prefix`, `wildcard`: documents with a value that matches. */
  pattern?(matches: (text: string) => boolean, boost: number): Plan;
  /** `exists`: documents with a value. */
  exists?(boost: number): Plan;
}

/**
 * Whether text queries search the words of the field's strings, as analyzed, or the strings as a
 * whole.
 */
export type TextKind = "analyzed" | "whole";

/**
 * A field of a mapping as all other files read it: a compiled type with its name, its place and its
 * multi-fields.
 */
export interface CompiledField extends MappedField {
  readonly values: FieldValues;
  /**
   * Adds the terms and columns of one value. Elements of an array are added one at a time; null
   * only if the field has a `null_value`.
   */
  index(value: JsonTree, sink: DocumentSink): void;
  /** The type reads arrays and objects itself (`geo_point`, `completion`). */
  readonly takesWholeValue: boolean;
  /** The value that stands for null; `undefined`: null is no value. */
  readonly nullValue: JsonTree | undefined;
  /**
   * A malformed value is left out and its field listed in `_ignored`, instead of failing the
   * document. An object in the place of a plain value is left out, but not listed.
   */
  readonly ignoreMalformed: boolean;
  /** Full paths of the fields to which values are copied. */
  readonly copyTo: readonly string[];
  readonly multiFields: readonly CompiledField[];
  readonly analyzer: Analyzer | undefined;
  readonly searchAnalyzer: Analyzer | undefined;
  readonly searchQuoteAnalyzer: Analyzer | undefined;
  /** The text of a query as the field indexes it, for fields of whole strings. */
  normalize(text: string): string;
  /** Format of the field's dates; `undefined`: no field of dates. */
  readonly dateFormat: DateFormat | undefined;
  /**
   * A stored value, or one of the `fields` option, as clients see it, from the source's JSON;
   * `undefined`: it is not shown.
   */
  present(value: JsonTree, format: string | undefined): Json | undefined;
  /** `term` queries score every hit 1 (keyword, numbers) instead of by BM25 (text, boolean). */
  readonly hasConstantTermScore: boolean;
  /** The path of the field behind an alias; `undefined`: the field is no alias. */
  readonly aliasOf: string | undefined;
  /** Last part of the path. */
  readonly leafName: string;
  /**
   * How text queries search the field; `undefined`: the field has no strings, and they search exact
   * values.
   */
  readonly text: TextKind | undefined;
  /** The field is a metadata field: every mapping has it without defining it. */
  readonly isMetadata: boolean;
  /** Searches may collapse on the field. */
  readonly isCollapsible: boolean;
  readonly queries: FieldQueries;
  /** Doc values as clients see them; `undefined`: they follow from the terms or numbers. */
  readonly columnValues: ColumnValues | undefined;
  /** Parse failures name the document and quote the beginning of the value. */
  readonly showsFailedValue: boolean;
}

/** The values of a document in the order of its column; none for a document without one. */
export type ColumnValues = (
  reader: SegmentReader,
  column: string,
  doc: number,
) => Iterable<HitValue>;

/** The parts of a field's definition that its type compiles. */
export interface CompileInput {
  readonly name: string;
  readonly type: string;
  /** Parameters, with defaults filled in. */
  readonly parameters: Readonly<Record<string, Json>>;
  readonly analysis: Analysis;
  readonly ignoreMalformedDefault: boolean;
  readonly coerceDefault: boolean;
}

/**
 * The result of compiling a field type. The caller adds the name, multi-fields and copies, and
 * fills in defaults for absent members.
 */
export interface CompiledType {
  /** The index structures to which `index` adds values. */
  readonly spec: FieldSpec;
  readonly values: FieldValues;
  index(value: JsonTree, sink: DocumentSink): void;
  readonly nullValue?: JsonTree | undefined;
  readonly takesWholeValue?: boolean;
  readonly ignoreMalformed?: boolean;
  readonly analyzer?: Analyzer | undefined;
  readonly searchAnalyzer?: Analyzer | undefined;
  readonly searchQuoteAnalyzer?: Analyzer | undefined;
  readonly normalize?: (text: string) => string;
  readonly dateFormat?: DateFormat | undefined;
  readonly present?: (value: JsonTree, format: string | undefined) => Json | undefined;
  readonly hasConstantTermScore?: boolean;
  readonly text?: TextKind;
  /** Default: false. */
  readonly isCollapsible?: boolean;
  readonly queries?: FieldQueries;
  readonly columnValues?: ColumnValues;
  /** Default: true. */
  readonly showsFailedValue?: boolean;
  readonly isIndexed: boolean;
  readonly hasDocValues: boolean;
}

/**
 * A field type of the search language: the parameters of its mappings, and the function that
 * compiles them.
 */
export interface FieldType {
  /** Parameters in the order in which they are printed. */
  readonly parameters: Parameters;
  compile(input: CompileInput): CompiledType;
  /** Sort values of an unmapped field with this `unmapped_type`; absent: decimal numbers. */
  readonly sortsAs?: "text" | "integers";
  /** Multi-fields and copies are printed before the parameters. */
  readonly printsFieldsFirst?: boolean;
  /**
   * Checks parameters against each other.
   * @throws OperationError 400
   */
  check?(name: string, parameters: JsonObject): void;
}

/** The bounds of a `range` query as requested; `undefined`: not given. */
export interface RangeBounds {
  readonly gt: Json | undefined;
  readonly gte: Json | undefined;
  readonly lt: Json | undefined;
  readonly lte: Json | undefined;
  readonly format: string | undefined;
  readonly timeZone: string | undefined;
}
