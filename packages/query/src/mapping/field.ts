/**
 * What a field type gives to the rest of the package: how a JSON value enters the index, and how queries, sorting and
 * aggregations read it back.
 */
import type { Analysis, Analyzer, Growth } from "@orrery/analysis";
import type { FieldSpec, NumberColumn } from "@orrery/segment";
import type { Json, JsonObject } from "@orrery/stdx";
import type { DateFormat } from "../dates/format.ts";
import type { JsonTree } from "../json/exact-json.ts";
import type { FieldFamily, MappedField } from "../types.ts";
import type { Parameters } from "./parameters.ts";

/** Where a document's values go while it is parsed. */
export interface DocumentSink {
  add(field: FieldSpec, value: string | number | bigint | Uint8Array): void;
  /** The field's value was too long or malformed and left out: `_ignored`. */
  ignore(field: string): void;
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
  /** The index term of a query value; throws for nonsense (an ip that is none). */
  encode(value: Json): Uint8Array;
  /** What clients see for a term. */
  decode(term: Uint8Array): string | boolean;
}

/** Numbers in columns and points. The index domain may differ from the clients' (scaled floats, unsigned longs). */
export interface NumberValues {
  readonly kind: "numbers";
  readonly isInteger: boolean;
  /** Smallest index value that is ≥ (or > unless inclusive) the query value; `undefined`: there is none. */
  lower(value: Json, isInclusive: boolean, context: BoundContext): number | bigint | undefined;
  upper(value: Json, isInclusive: boolean, context: BoundContext): number | bigint | undefined;
  /** The index value a `term` query looks for; `undefined` when no document can have it. Throws for nonsense. */
  exact(value: Json): number | bigint | undefined;
  /** The double that aggregations compute with; `isIdentity`: simply `column.valueAt(index)`. */
  double(column: NumberColumn, index: number): number;
  readonly isIdentity: boolean;
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
}

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
  readonly isIndexed: boolean;
  readonly hasDocValues: boolean;
}

export interface FieldType {
  readonly family: FieldFamily;
  /** In the order in which they are printed. */
  readonly parameters: Parameters;
  compile(input: CompileInput): CompiledType;
  /** Checks of parameters against each other; throws. */
  check?(name: string, parameters: JsonObject): void;
}
