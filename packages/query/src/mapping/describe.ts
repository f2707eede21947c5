/**
 * Get field mapping: the definitions of fields that match names or patterns, with or without
 * defaults. Source: `TransportGetFieldMappingsIndexAction`.
 */
import { isGlob, type Json, type JsonObject, lookup, matchesGlob, setKey } from "@orrery/stdx";
import { double, isRawJson } from "../json/json-text.ts";
import type { Mapping } from "../language/mapping.ts";
import type { Printable } from "../json/printable.ts";
import type { AliasDefinition, Definition, FieldDefinition } from "./definition.ts";
import { compiled } from "./mapping.ts";
import { METADATA_FIELDS } from "./metadata-fields.ts";
import { printField } from "./print.ts";

/** One field in a response to `GET _mapping/field`. */
export interface DescribedField {
  readonly full_name: string;
  /** `{leaf: {type: …}}`; empty for metadata fields. */
  readonly mapping: Printable;
}

/** The fields that match one of the names or patterns, by full path; objects are no fields. */
export function describeFields(
  mapping: Mapping,
  patterns: readonly string[],
  includeDefaults: boolean,
): Record<string, DescribedField> {
  const leaves = new Map<string, FieldDefinition | AliasDefinition>();
  collect(compiled(mapping).definition.root.properties, leaves);
  const described: Record<string, DescribedField> = {};
  const matches = (name: string): boolean =>
    patterns.some((pattern) => (isGlob(pattern) ? matchesGlob(pattern, name) : pattern === name));
  for (const [name, definition] of leaves) {
    if (!matches(name)) continue;
    const leaf = name.slice(name.lastIndexOf(".") + 1);
    setKey(described, name, {
      full_name: name,
      mapping: { [leaf]: describe(definition, includeDefaults) },
    });
  }
  for (const name of METADATA_FIELDS) {
    if (name !== "_primary_term" && matches(name))
      setKey(described, name, { full_name: name, mapping: {} });
  }
  return described;
}

function collect(
  definitions: ReadonlyMap<string, Definition>,
  into: Map<string, FieldDefinition | AliasDefinition>,
): void {
  for (const definition of definitions.values()) {
    if (definition.kind === "object") {
      collect(definition.properties, into);
      continue;
    }
    into.set(definition.path, definition);
    if (definition.kind === "field") collect(definition.fields, into);
  }
}

function describe(
  definition: FieldDefinition | AliasDefinition,
  includeDefaults: boolean,
): Printable {
  if (definition.kind === "alias") return { type: "alias", path: definition.target };
  if (!includeDefaults) return printField(definition);
  return withDefaults(definition);
}

/** Parameters that are doubles in the product, and print with a fraction. */
const DOUBLES = new Set(["boost", "scaling_factor"]);

function withDefaults(field: FieldDefinition): Printable {
  const json: Record<string, Printable> = { type: field.type };
  for (const [key, parameter] of Object.entries(field.fieldType.parameters)) {
    const value = lookup(field.parameters, key) ?? defaultOf(field, key, parameter.fallback);
    setKey(
      json,
      key,
      DOUBLES.has(key) && typeof value === "number" ? double(value) : withJavaDoubles(key, value),
    );
  }
  if (field.fields.size > 0) {
    json["fields"] = Object.fromEntries(
      [...field.fields].map(([name, inner]) => [name, withDefaults(inner)]),
    );
  }
  if (field.copyTo.length > 0) json["copy_to"] = field.copyTo;
  return json;
}

/** The default of a parameter; search analyzers default to the analyzers given for the field. */
function defaultOf(field: FieldDefinition, key: string, fallback: Json): Json {
  if (key === "search_analyzer") return field.parameters["analyzer"] ?? fallback;
  if (key === "search_quote_analyzer") {
    return field.parameters["search_analyzer"] ?? field.parameters["analyzer"] ?? fallback;
  }
  return fallback;
}

/** Prints the members of `fielddata_frequency_filter` as Java prints them. */
function withJavaDoubles(key: string, value: Json): Printable {
  if (key !== "fielddata_frequency_filter") return value;
  const { min, max, min_segment_size: size } = value as JsonObject;
  const asDouble = (item: Json | undefined): Printable =>
    isRawJson(item) ? item : double(Number(item));
  return { min: asDouble(min), max: asDouble(max), min_segment_size: size };
}
