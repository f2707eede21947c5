/**
 * A mapping as the rest of the package reads it: its fields and objects, and the parsing of
 * documents. Source: `MapperService`, `DocumentMapper`.
 */
import type { JsonTree } from "../json/exact-json.ts";
import type { JsonObject } from "@orrery/stdx";
import type { FieldValue, FieldSpec } from "@orrery/segment";
import type { Analysis } from "@orrery/analysis";
import type { SearchLanguage } from "./language.ts";
import type { CompiledField } from "./field-type.ts";

/** Settings of an index, flat, as in the cluster state: `"index.mapping.depth.limit": "20"`. */
export type IndexSettings = Readonly<Record<string, string | readonly string[]>>;

/** The compiled fields of one index. Immutable: changed mapping JSON makes a new one. */
export interface Mapping {
  /** The language with which the mapping was made; search bodies of the index are read in it. */
  readonly language: SearchLanguage;
  /** Normalised JSON, as `GET _mapping` prints it. */
  readonly json: JsonObject;
  /** `_routing: {required: true}`. */
  readonly isRoutingRequired: boolean;
  readonly hasNested: boolean;
  /**
   * The document as fields for the segment writer.
   * @throws OperationError 400 `mapper_parsing_exception`, `strict_dynamic_mapping_exception` and
   * others
   */
  parseDocument(
    id: string,
    source: Uint8Array | DocumentSource,
    routing: string | undefined,
  ): ParsedDocument;
  /**
   * The field at a full path: also a multi-field, the field behind an alias, or a metadata field.
   */
  field(name: string): MappedField | undefined;
  /** Full paths that match a pattern with `*`, sorted. */
  matchFields(pattern: string): string[];
  object(path: string): MappedObject | undefined;
  /** All fields, sorted by path. */
  readonly fields: ReadonlyMap<string, MappedField>;
  readonly objects: ReadonlyMap<string, MappedObject>;
}

/** The source of a document. */
export interface DocumentSource {
  readonly bytes: Uint8Array;
  /**
   * The bytes as read by the exact reader; `parseDocument` sets it for a document that has to be
   * parsed again after a mapping update.
   */
  tree: JsonTree | undefined;
}

/**
 * A document for the segment writer; `children` are its nested objects, which are written before
 * it.
 */
export interface ParsedDocument {
  readonly fields: readonly FieldValue[];
  readonly children: readonly (readonly FieldValue[])[];
  /**
   * The fields that dynamic mapping adds, to be merged with `mergeMapping`; `undefined`: none. The
   * document must not be indexed before the mapping has them.
   */
  readonly mappingUpdate: JsonObject | undefined;
  /**
   * The `_source` to store: the same bytes, unless the mapping filters it; `undefined`: `_source`
   * is disabled.
   */
  readonly source: Uint8Array | undefined;
}

/** A field of a mapping. */
export interface MappedField {
  /** Full path. */
  readonly name: string;
  /** The type in the mapping: `long`, `keyword`. */
  readonly type: string;
  /** The definition as the mapping prints it, without defaults. */
  readonly definition: JsonObject;
  readonly spec: FieldSpec;
  readonly isIndexed: boolean;
  readonly hasDocValues: boolean;
  readonly isStored: boolean;
  /** Path of the nearest enclosing nested object; `undefined`: none. */
  readonly nestedPath: string | undefined;
}

/** An object of a mapping. */
export interface MappedObject {
  readonly path: string;
  readonly isNested: boolean;
}

/** A mapping as queries, sorts and aggregations read it. */
export interface CompiledMapping extends Mapping {
  readonly settings: IndexSettings;
  readonly analysis: Analysis;
  compiledField(name: string): CompiledField | undefined;
}
