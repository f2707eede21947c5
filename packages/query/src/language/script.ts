/**
 * Scripts: what a request says of one, the contexts that scripts are compiled for, and the engines that compile them.
 *
 * A context is a member of `CompiledScripts`, which says what a script of it is given and what it returns; the table of contexts
 * (`scripts/contexts.ts`) demands its row. An engine is a row of the language. It compiles a source for one context; what it compiled is
 * kept and shared, so it holds nothing of a request or a shard. `bind` ties it to the parameters of a request and to a shard.
 */
import type { JsonObject } from "@orrery/stdx";
import type { CompiledField } from "./field-type.ts";
import type { HitValue } from "./hits.ts";
import type { SegmentContext } from "./searcher.ts";

export type Script = InlineScript | StoredScript;

export interface InlineScript {
  readonly kind: "inline";
  readonly lang: string;
  readonly source: string;
  readonly options: ScriptOptions;
  readonly params: JsonObject;
}

export interface StoredScript {
  readonly kind: "stored";
  readonly id: string;
  readonly params: JsonObject;
}

/** Of the compiler: `content_type` alone passes the parser. */
export type ScriptOptions = Readonly<Record<string, string>>;

/** The value of a field that a script of an aggregation is given as `_value`; `undefined`: it runs without a field. */
export type FieldValue = number | bigint | string | boolean | undefined;

export type ScriptNumber = number | bigint;

/** The values of a document, as a script of an aggregation returns them. */
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

export type ScriptContextName = keyof CompiledScripts;

/** A script that runs on the documents of a shard. */
export interface DocumentScript<Given extends readonly unknown[], Result> {
  /** Resolves fields and parameters. Throws `OperationError`. */
  bind(params: JsonObject, lookup: ScriptLookup): BoundScript<Given, Result>;
}

export interface BoundScript<Given extends readonly unknown[], Result> {
  /** The script reads the score of a document; where it does not, it is given `NaN`. */
  readonly needsScore: boolean;
  /** Documents come in any order. Takes from `segment.budget` the steps of each run. Throws `OperationError`. */
  open(segment: SegmentContext): (doc: number, ...given: Given) => Result;
}

/** A script that runs on a bucket. `variables`: the parameters of the script, and numbers of the bucket over them. */
export type BucketScript<Result> = (variables: JsonObject) => Result;

/** The parts of a shard that a script may read. Fields that are hidden from the request are in no mapping, and have no values. */
export interface ScriptLookup {
  /** `undefined`: the field is not in the mapping. */
  field(name: string): CompiledField | undefined;
  /** Throws `OperationError` for a field without doc values. */
  values(field: CompiledField): (segment: SegmentContext) => DocValues;
}

/** Values of one field, document by document. */
export interface DocValues {
  /** Goes to a document; returns how many values it has. */
  at(doc: number): number;
  /** A value of that document as a double, ascending: dates in milliseconds, booleans as 0 and 1. Not of terms. */
  number(index: number): number;
  /** A value of that document as clients see it. */
  value(index: number): HitValue;
  /** A point of that document; `undefined` for fields of other types. */
  readonly point: ((index: number) => { readonly lat: number; readonly lon: number }) | undefined;
}

/** A row of the language; its name there is the `lang` of scripts. */
export interface ScriptEngine {
  /** The contexts that it compiles for, as `GET _script_language` lists them. */
  readonly contexts: readonly ScriptContextName[];
  /**
   * Gives at least the script of `context`, where that is one of `contexts`. Throws `OperationError` for a source that is refused, and for
   * a context that the engine does not know.
   */
  compile(source: string, options: ScriptOptions, context: ScriptContextName): EngineScripts;
}

export type EngineScripts = Partial<CompiledScripts>;

/** Compiles scripts of requests, within the settings of the node. */
export interface Scripts {
  /** Throws `OperationError`. */
  compile<Name extends ScriptContextName>(script: Script, context: Name): CompiledScripts[Name];
}
