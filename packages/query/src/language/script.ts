/**
 * Scripts: as a request names them, the contexts for which they are compiled, and the engines that
 * compile them. Source: `ScriptService`, `ScriptEngine`, `ScriptContext`.
 *
 * A context is a member of `CompiledScripts`, which types the arguments and the result of its
 * scripts; the table in `scripts/contexts.ts` demands its row. An engine is a row of the language.
 * A compiled script is cached and shared, so it holds nothing of a request or a shard; `bind` ties
 * it to both.
 */
import type { JsonObject } from "@orrery/stdx";
import type { CompiledField } from "./field-type.ts";
import type { HitValue } from "./hits.ts";
import type { SegmentContext } from "./searcher.ts";

/** A script of a request: its source, or the id of a stored one. */
export type Script = InlineScript | StoredScript;

/** A script with its source. */
export interface InlineScript {
  readonly kind: "inline";
  readonly lang: string;
  readonly source: string;
  readonly options: ScriptOptions;
  readonly params: JsonObject;
}

/** A script of the cluster state. */
export interface StoredScript {
  readonly kind: "stored";
  readonly id: string;
  readonly params: JsonObject;
}

/** Options of the compiler; the parser accepts `content_type` alone. */
export type ScriptOptions = Readonly<Record<string, string>>;

/**
 * The value of a field that a script of an aggregation reads as `_value`; `undefined`: the
 * aggregation has no field.
 */
export type FieldValue = number | bigint | string | boolean | undefined;

/** Integers beyond 2^53 are bigints. */
export type ScriptNumber = number | bigint;

/** The values that a script of an aggregation returns for a document. */
export type ScriptValue = ScriptNumber | string | boolean | null | readonly ScriptValue[];

/** Compiled scripts by the name of their context. */
export interface CompiledScripts {
  readonly aggregation_selector: BucketScript<boolean>;
  readonly aggs: DocumentScript<[score: number, value: FieldValue], ScriptValue>;
  readonly bucket_aggregation: BucketScript<ScriptNumber | null>;
  readonly field: DocumentScript<[], HitValue>;
  readonly filter: DocumentScript<[], boolean>;
  readonly number_sort: DocumentScript<[score: number], number>;
  readonly score: DocumentScript<[score: number], number>;
  readonly string_sort: DocumentScript<[score: number], string>;
  readonly terms_set: DocumentScript<[], ScriptNumber>;
}

/** Names of contexts. */
export type ScriptContextName = keyof CompiledScripts;

/** A compiled script that runs on documents. */
export interface DocumentScript<Given extends readonly unknown[], Result> {
  /**
   * Resolves fields and parameters for one request on one shard.
   * @throws OperationError if a field or parameter does not fit
   */
  bind(params: JsonObject, lookup: ScriptLookup): BoundScript<Given, Result>;
}

/** A script of one request on one shard. */
export interface BoundScript<Given extends readonly unknown[], Result> {
  /** The script reads the score of a document; otherwise it is called with NaN. */
  readonly needsScore: boolean;
  /**
   * Opens a segment. Documents may be passed in any order. Each run is charged to `segment.budget`.
   * @throws OperationError for a run that fails
   */
  open(segment: SegmentContext): (doc: number, ...given: Given) => Result;
}

/**
 * A compiled script that runs on a bucket. `variables` are the parameters of the script, overlaid
 * with numbers of the bucket.
 */
export type BucketScript<Result> = (variables: JsonObject) => Result;

/**
 * The parts of a shard that a script may read. Fields that are hidden from the request are in no
 * mapping and have no values.
 */
export interface ScriptLookup {
  /** The field of this name; `undefined`: it is not mapped. */
  field(name: string): CompiledField | undefined;
  /**
   * The doc values of a field, by segment.
   * @throws OperationError for a field without doc values
   */
  values(field: CompiledField): (segment: SegmentContext) => DocValues;
}

/** Values of one field, read document by document. */
export interface DocValues {
  /** Moves to a document and returns the number of its values. */
  at(doc: number): number;
  /**
   * A value of the current document as a double, ascending: dates in milliseconds, booleans as 0
   * and 1. NaN for terms.
   */
  number(index: number): number;
  /** A value of the current document as clients see it. */
  value(index: number): HitValue;
  /** A point of the current document; `undefined` for fields of other types. */
  readonly point: ((index: number) => { readonly lat: number; readonly lon: number }) | undefined;
}

/** A script engine of the search language. Its name there is the `lang` of scripts. */
export interface ScriptEngine {
  /** Contexts for which it compiles, as `GET _script_language` lists them. */
  readonly contexts: readonly ScriptContextName[];
  /**
   * Compiles a source at least for `context`, which is one of `contexts`.
   * @throws OperationError for a source that is rejected, or a context that the engine does not
   * know
   */
  compile(source: string, options: ScriptOptions, context: ScriptContextName): EngineScripts;
}

/** The contexts for which a source was compiled. */
export type EngineScripts = Partial<CompiledScripts>;

/** Compiles the scripts of requests, as far as the settings of the node permit. */
export interface Scripts {
  /**
   * Compiles a script for a context, or finds it compiled.
   * @throws OperationError if the script is rejected
   */
  compile<Name extends ScriptContextName>(script: Script, context: Name): CompiledScripts[Name];
}
