/**
 * What a field type gives to the rest of the package: how a JSON value enters the index, and how queries, sorting and
 * aggregations read it back.
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

/** Where a document's values go while it is parsed. */
export interface DocumentSink {
  add(field: FieldSpec, value: string | number | bigint | Uint8Array): void;
  /** Set on the second, careful pass: where the value at hand stands in the source. */
  readonly location: (() => ValueLocation) | undefined;
  /** The careful pass keeps numbers as literals; asks for it. Never returns on the first pass. */
  needLiterals(): void;
  /** Account of what analysis makes of the document; `undefined`: nothing is analyzed. */
  readonly growth: Growth | undefined;
}

export interface ValueLocation {
  readonly line: number;
  readonly col: number;
  /** Of the byte after the value's first token. */
  readonly tokenEnd: number;
}

/** Terms in byte order: text, keyword, ip, boolean, constant_keyword, metadata. */
export interface TermValues {
  readonly kind: "terms";
  /**
   * How buckets keep a term until the coordinating node prints it: `boolean` as 0 or 1 (sorts, too), `ip` as its bytes. `undefined`:
   * as the text that `decode` gives.
   */
  readonly format?: "boolean" | "ip";
  /** Terms are no UTF-8 text: sort values are their bytes, and print as `decode` says. */
  readonly isBinary?: boolean;
  /** The first and last term of the block that a query value names (`10.0.0.0/8`); `undefined`: it names one term. */
  blockOf?(value: string): { readonly first: Uint8Array; readonly last: Uint8Array } | undefined;
  /** The index term of a query value; throws for nonsense (an ip that is none). */
  encode(value: Json): Uint8Array;
  /** What clients see for a term. */
  decode(term: Uint8Array): string | boolean;
}

/** Numbers in columns and points. The index domain may differ from the clients' (scaled floats, unsigned longs). */
export interface NumberValues {
  readonly kind: "numbers";
  readonly isInteger: boolean;
  /** Sorts compare and show values of half the width of doubles. */
  readonly isFloat?: boolean;
  /** Smallest index value that is ≥ (or > unless inclusive) the query value; `undefined`: there is none. */
  lower(value: Json, isInclusive: boolean, context: BoundContext): number | bigint | undefined;
  upper(value: Json, isInclusive: boolean, context: BoundContext): number | bigint | undefined;
  /** The index value a `term` query looks for; `undefined` when no document can have it. Throws for nonsense. */
  exact(value: Json): number | bigint | undefined;
  /** The double that aggregations compute with; `isIdentity`: simply `column.valueAt(index)`. */
  double(column: NumberColumn, index: number): number;
  readonly isIdentity: boolean;
  /** Of a field with dates: index values count nanoseconds, and not milliseconds, since 1970. */
  readonly isNanos?: boolean;
  /** What sorting and doc values show: exact. */
  read(column: NumberColumn, index: number): number | bigint;
  /** The index value of what `read` gives (and of numbers in `search_after`, `missing`). */
  write(value: number | bigint): number | bigint;
}

export interface BoundContext {
  readonly nowMs: number;
  readonly format: DateFormat | undefined;
  readonly timeZone: string | undefined;
}

export interface NoValues {
  readonly kind: "none" | "binary" | "geo_point";
}

export type FieldValues = TermValues | NumberValues | NoValues;

/** Queries that a field type answers itself. The others are answered from its terms and numbers, or refused where it has none. */
export interface FieldQueries {
  /** `term`, `terms`: documents with any of the values. Throws `OperationError`. */
  anyOf?(context: BuildContext, values: readonly Json[], boost: number): Plan;
  range?(context: BuildContext, bounds: RangeBounds, boost: number): Plan;
  /** `prefix`, `wildcard`: documents with a value that passes. */
  pattern?(matches: (text: string) => boolean, boost: number): Plan;
  exists?(boost: number): Plan;
}

/** Whether text queries look for the words of the field's strings, as analyzed, or for the strings as a whole. */
export type TextKind = "analyzed" | "whole";

export interface CompiledField extends MappedField {
  readonly values: FieldValues;
  /** Adds the index terms and columns of one value: an array's elements come one by one, `null` only with `null_value`. */
  index(value: JsonTree, sink: DocumentSink): void;
  /** Arrays and objects are the field's own business (geo_point, completion …). */
  readonly takesWholeValue: boolean;
  readonly nullValue: JsonTree | undefined;
  readonly ignoreMalformed: boolean;
  readonly copyTo: readonly string[];
  readonly multiFields: readonly CompiledField[];
  readonly analyzer: Analyzer | undefined;
  readonly searchAnalyzer: Analyzer | undefined;
  readonly searchQuoteAnalyzer: Analyzer | undefined;
  /** Keyword fields: what queries do to their text. */
  normalize(text: string): string;
  /** Date fields. */
  readonly dateFormat: DateFormat | undefined;
  /** A stored or `fields`-option value as clients see it, from the source's JSON. */
  present(value: JsonTree, format: string | undefined): Json | undefined;
  /** `term` queries score every hit 1 (keyword, numbers) instead of by BM25 (text, boolean). */
  readonly hasConstantTermScore: boolean;
  /** Set for `alias` entries: the field behind. */
  readonly aliasOf: string | undefined;
  /** Name without the path. */
  readonly leafName: string;
  /** `undefined`: the field has no strings, and text queries look for exact values. */
  readonly text: TextKind | undefined;
  /** A field of every document, which no mapping names. */
  readonly isMetadata: boolean;
  readonly isCollapsible: boolean;
  readonly queries: FieldQueries;
  /** Doc values as clients see them, where they are neither terms nor numbers. */
  readonly columnValues: ColumnValues | undefined;
  /** Failures of a document name the document and show the beginning of the value. */
  readonly showsFailedValue: boolean;
}

/** In the order of the column; none for a document without a value. */
export type ColumnValues = (
  reader: SegmentReader,
  column: string,
  doc: number,
) => Iterable<HitValue>;

export interface CompileInput {
  readonly name: string;
  readonly type: string;
  /** Parameters with defaults filled in. */
  readonly parameters: Readonly<Record<string, Json>>;
  readonly analysis: Analysis;
  readonly ignoreMalformedDefault: boolean;
  readonly coerceDefault: boolean;
}

/** What a type's file compiles; the caller adds names, multi-fields, copies. */
export interface CompiledType {
  /** The columns and terms that `index` adds values to. */
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

export interface FieldType {
  /** In the order in which they are printed. */
  readonly parameters: Parameters;
  compile(input: CompileInput): CompiledType;
  /** Sort values of an unmapped field of the type (`unmapped_type`). Default: decimal numbers. */
  readonly sortsAs?: "text" | "integers";
  /** Multi-fields and copies are printed before the parameters. */
  readonly printsFieldsFirst?: boolean;
  /** Checks of parameters against each other; throws. */
  check?(name: string, parameters: JsonObject): void;
}

export interface RangeBounds {
  readonly gt: Json | undefined;
  readonly gte: Json | undefined;
  readonly lt: Json | undefined;
  readonly lte: Json | undefined;
  readonly format: string | undefined;
  readonly timeZone: string | undefined;
}
