/**
 * Mappings of indices: `createMapping` checks the JSON and compiles it for documents and queries.
 * Source: `MapperService`.
 */
import type { CompiledMapping, IndexSettings, Mapping } from "../language/mapping.ts";
import { compareText, isGlob, type JsonObject, lookup, matchesGlob } from "@orrery/stdx";
import type { SearchLanguage } from "../language/language.ts";
import { analysisOf } from "./analysis-settings.ts";
import { compileTree, metadataFields, type CompiledTree } from "./compile.ts";
import { parseDefinition, requiredTimestampField, type RootDefinition } from "./definition.ts";
import type { CompiledField } from "../language/field-type.ts";
import type { DocumentRules } from "./document-rules.ts";
import { extendDefinition } from "./merge.ts";
import { parseDocument } from "./parse-document.ts";
import { printMapping } from "./print.ts";
import { DEFAULT_DYNAMIC_DATE_FORMATS } from "./dynamic.ts";
import { dateFormatOf } from "../dates/format.ts";

/**
 * A mapping with the definition of which it was compiled, and the tree on which documents are
 * parsed.
 */
export interface DefinedMapping extends CompiledMapping {
  readonly tree: CompiledTree;
  readonly definition: RootDefinition;
}

/**
 * Makes the mapping of an index from its JSON.
 * @throws OperationError 400 in the product's words
 */
export function createMapping(
  language: SearchLanguage,
  json: JsonObject,
  settings: IndexSettings,
): Mapping {
  const definition = parseDefinition(json, { language, analysis: analysisOf(settings) });
  return compileMapping(definition, { language, settings });
}

/**
 * Returns a mapping with the fields that a document introduced; `mapping` is not changed. The cost
 * is that of the new fields and of a copy of the tables.
 * @throws OperationError 400, as `mergeMapping`
 */
export function extendMapping(mapping: Mapping, update: JsonObject): Mapping {
  const before = compiled(mapping);
  const definition = extendDefinition(before.definition, update, before);
  return compileMapping(definition, before, before);
}

function compileMapping(
  definition: RootDefinition,
  { language, settings }: Pick<DefinedMapping, "language" | "settings">,
  before?: DefinedMapping,
): Mapping {
  const analysis = analysisOf(settings);
  const tree = compileTree(
    definition.root,
    analysis,
    settings,
    before && { definition: before.definition.root, tree: before.tree },
  );
  const fields = new Map<string, CompiledField>();
  for (const field of metadataFields()) fields.set(field.name, field);
  for (const name of [...tree.fields.keys()].toSorted(compareText)) {
    const field = tree.fields.get(name);
    if (field !== undefined) fields.set(name, field);
  }
  const rules = documentRules(definition, tree, settings);
  let printed: JsonObject | undefined;
  const mapping: DefinedMapping = {
    language,
    // Printed on demand: documents may extend a mapping many times before it is read.
    get json() {
      return (printed ??= printMapping(definition));
    },
    isRoutingRequired: definition.metadata.get("_routing")?.["required"] === true,
    hasNested: [...tree.objects.values()].some(({ isNested }) => isNested),
    parseDocument: (id, source, routing) =>
      source instanceof Uint8Array
        ? parseDocument(rules, { id, source, routing })
        : parseDocument(rules, { id, source: source.bytes, routing }, source),
    field: (name) => fields.get(name),
    compiledField: (name) => fields.get(name),
    matchFields: (pattern) => matchFields(fields, pattern),
    object: (path) => tree.objects.get(path),
    fields: fields,
    objects: tree.objects,
    tree,
    definition,
    settings,
    analysis,
  };
  return mapping;
}

/**
 * Casts a mapping to its full type. All functions that make mappings (`createMapping`,
 * `extendMapping`, `restrictedView`) make this type.
 */
export function compiled(mapping: Mapping): DefinedMapping {
  return mapping as DefinedMapping;
}

function matchFields(fields: ReadonlyMap<string, CompiledField>, pattern: string): string[] {
  if (!isGlob(pattern)) return fields.has(pattern) ? [pattern] : [];
  return [...fields.keys()].filter((name) => matchesGlob(pattern, name));
}

/** The rules for parsing documents, with defaults. */
function documentRules(
  definition: RootDefinition,
  tree: CompiledTree,
  settings: IndexSettings,
): DocumentRules {
  const source = definition.metadata.get("_source") ?? {};
  const list = (key: string): readonly string[] =>
    (lookup(source, key) as readonly string[] | undefined) ?? [];
  const limit = settings["index.mapping.nested_objects.limit"];
  const depth = settings["index.mapping.depth.limit"];
  return {
    root: tree.root,
    fields: tree.fields,
    templates: definition.dynamicTemplates ?? [],
    dateFormats: (definition.dynamicDateFormats ?? DEFAULT_DYNAMIC_DATE_FORMATS).map(dateFormatOf),
    dateDetection: definition.dateDetection ?? true,
    numericDetection: definition.numericDetection ?? false,
    isSourceEnabled: source["enabled"] !== false,
    sourceIncludes: list("includes"),
    sourceExcludes: list("excludes"),
    depthLimit: typeof depth === "string" ? Number(depth) : 20,
    nestedLimit: typeof limit === "string" ? Number(limit) : 10_000,
    timestampField: requiredTimestampField(definition),
  };
}
