/** A mapping as the rest of the package reads it: fields, objects, and the way of a document into them. */
import type { JsonTree } from "../json/exact-json.ts";
import type { JsonObject } from "@orrery/stdx";
import type { FieldValue, FieldSpec } from "@orrery/segment";
import type { Analysis } from "@orrery/analysis";
import type { SearchLanguage } from "./language.ts";
import type { CompiledField } from "./field-type.ts";

/** An index's settings, flat, as the cluster state holds them: `"index.mapping.depth.limit": "20"`. */
export type IndexSettings = Readonly<Record<string, string | readonly string[]>>;

/** One index's fields, compiled. Immutable; make a new one when the mapping JSON changes. */
export interface Mapping {
  /** Its field types are what the mapping was made of; search bodies of the index are read in it. */
  readonly language: SearchLanguage;
  /** Normalised JSON, as `GET _mapping` shows it. */
  readonly json: JsonObject;
  /** `_routing: {required: true}`. */
  readonly isRoutingRequired: boolean;
  readonly hasNested: boolean;
  /**
   * The document as the segment writer wants it. Throws `OperationError` (`mapper_parsing_exception`,
   * `strict_dynamic_mapping_exception` …) in OpenSearch's words.
   */
  parseDocument(
    id: string,
    source: Uint8Array | DocumentSource,
    routing: string | undefined,
  ): ParsedDocument;
  /** A field by its full path, multi-fields and aliases (resolved) included; metadata fields too. */
  field(name: string): MappedField | undefined;
  /** Full paths that match a pattern with `*`, in order of name. */
  matchFields(pattern: string): string[];
  object(path: string): MappedObject | undefined;
  /** All fields, in order of name. */
  readonly fields: ReadonlyMap<string, MappedField>;
  readonly objects: ReadonlyMap<string, MappedObject>;
}

export interface DocumentSource {
  readonly bytes: Uint8Array;
  /** The exact reader's, of the bytes. Set by `parseDocument` for a document that will be parsed again. */
  tree: JsonTree | undefined;
}

export interface ParsedDocument {
  readonly fields: readonly FieldValue[];
  readonly children: readonly (readonly FieldValue[])[];
  /** What dynamic mapping wants to add, to be merged with `mergeMapping`; until then the document must not be indexed. */
  readonly mappingUpdate: JsonObject | undefined;
  /** What to store as `_source`: the same bytes unless the mapping filters it; `undefined` when `_source` is disabled. */
  readonly source: Uint8Array | undefined;
}

/** A compiled leaf field: definition, how it is stored, and the way from JSON value to index and back. */
export interface MappedField {
  /** Full path. */
  readonly name: string;
  /** As in the mapping: `long`, `keyword` … */
  readonly type: string;
  /** The definition as the mapping shows it (defaults left out). */
  readonly definition: JsonObject;
  readonly spec: FieldSpec;
  readonly isIndexed: boolean;
  readonly hasDocValues: boolean;
  readonly isStored: boolean;
  /** Path of the nearest nested object, or `undefined`. */
  readonly nestedPath: string | undefined;
}

export interface MappedObject {
  readonly path: string;
  readonly isNested: boolean;
}

/** A mapping as queries, sorts and aggregations see it. */
export interface CompiledMapping extends Mapping {
  readonly settings: IndexSettings;
  readonly analysis: Analysis;
  compiledField(name: string): CompiledField | undefined;
}
