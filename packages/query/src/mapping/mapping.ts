/** One index's compiled mapping: `createMapping` checks the JSON and builds what documents and queries need. */
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

/** A mapping as this folder's own code sees it: with what it was compiled from. */
export interface DefinedMapping extends CompiledMapping {
  readonly tree: CompiledTree;
  readonly definition: RootDefinition;
}

/** Throws `OperationError` in the product's words when the JSON is no mapping. */
export function createMapping(
  language: SearchLanguage,
  json: JsonObject,
  settings: IndexSettings,
): Mapping {
  const definition = parseDefinition(json, { language, analysis: analysisOf(settings) });
  return compileMapping(definition, { language, settings });
}

/**
 * `mapping` with what a document introduced. It costs what the new fields cost, and tables of all fields; errors are those
 * of `mergeMapping`.
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
    // A document may grow a mapping many times before anybody reads one.
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

/** Every mapping is made by `createMapping`; this narrows it back. */
export function compiled(mapping: Mapping): DefinedMapping {
  return mapping as DefinedMapping;
}

function matchFields(fields: ReadonlyMap<string, CompiledField>, pattern: string): string[] {
  if (!isGlob(pattern)) return fields.has(pattern) ? [pattern] : [];
  return [...fields.keys()].filter((name) => matchesGlob(pattern, name));
}

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
