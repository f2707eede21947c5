/**
 * Put mapping: merges an update into a mapping, with the product's conflicts and limits. Source:
 * `MapperService.merge`, `ObjectMapper.merge`, `ParametrizedFieldMapper.merge`.
 */
import {
  illegalArgument,
  isJsonObject,
  lookup,
  OperationError,
  setKey,
  type Json,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import type { SearchLanguage } from "../language/language.ts";
import type { IndexSettings } from "../language/mapping.ts";
import { analysisOf, checkAnalysis } from "./analysis-settings.ts";
import {
  isMetadataEnabled,
  isSame,
  leafOf,
  parseDefinition,
  type Definition,
  type FieldDefinition,
  type ObjectDefinition,
  type RootDefinition,
} from "./definition.ts";
import { mappingFailure, textOf } from "./parameters.ts";
import { printMapping } from "./print.ts";

/**
 * `create`: an index is created, and errors are wrapped once more. `template`: the next of several
 * mappings of which a new index is composed, which replaces fields and extends objects. `update`:
 * put mapping.
 */
export type MergeReason = "create" | "template" | "update";

/** The index whose mapping is merged. */
export interface MergeInput {
  readonly language: SearchLanguage;
  readonly settings: IndexSettings;
  /** Default: `update`. */
  readonly reason?: MergeReason;
}

/**
 * The normalised JSON of `current`, which may be `{}`, with `update` applied.
 * @throws OperationError 400, or 500 where the product has it
 */
export function mergeMapping(
  current: JsonObject,
  update: JsonObject,
  { language, settings, reason = "update" }: MergeInput,
): JsonObject {
  const isTyped = Object.keys(update).length === 1 && update["_doc"] !== undefined;
  if (isTyped && reason !== "template") {
    throw illegalArgument(
      reason === "create"
        ? "The mapping definition cannot be nested under a type"
        : "Types cannot be provided in put mapping requests",
    );
  }
  const context = { language, analysis: analysisOf(settings) };
  const before = parseDefinition(current, context);
  const added =
    reason === "create" || reason === "template"
      ? wrapFailure(() => parseDefinition(update, context))
      : parseDefinition(update, context);
  const isFirst = Object.keys(current).length === 0;
  const merged = mergeRoots(before, added, { isFirst, isTemplate: reason === "template" });
  checkMerged(merged, settings);
  return printMapping(merged);
}

/**
 * The definition with the fields that a document introduced. Definitions that do not change stay
 * the same objects, which `compileTree` relies on.
 */
export function extendDefinition(
  before: RootDefinition,
  update: JsonObject,
  { language, settings }: Pick<MergeInput, "language" | "settings">,
): RootDefinition {
  const added = parseDefinition(update, { language, analysis: analysisOf(settings) });
  const merged = mergeRoots(before, added, { isFirst: false, isTemplate: false });
  checkMerged(merged, settings);
  return merged;
}

function checkMerged(merged: RootDefinition, settings: IndexSettings): void {
  checkLimits(merged, settings);
  checkAliases(merged.root);
}

/**
 * Checks that a mapping requires routing if the index has a routing partition size above 1. An
 * empty mapping passes.
 * @throws OperationError 400
 */
export function checkPartitioned(
  index: string,
  mapping: { readonly json: JsonObject },
  settings: IndexSettings,
): void {
  const size = Number(settings["index.routing_partition_size"] ?? 1);
  if (size <= 1 || Object.keys(mapping.json).length === 0) return;
  const routing = mapping.json["_routing"];
  if (isJsonObject(routing) && routing["required"] === true) return;
  throw illegalArgument(
    `mapping type [_doc] must have routing required for partitioned index [${index}]`,
  );
}

/** Wraps errors as index creation does. */
function wrapFailure<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new OperationError(
      wrapProblem(`Failed to parse mapping [_doc]: ${error.problem.reason}`, error.problem),
    );
  }
}

/**
 * Wraps a problem in a `mapper_parsing_exception`. A `mapper_parsing_exception` or
 * `parse_exception` that is wrapped becomes the root cause.
 */
export function wrapProblem(reason: string, causedBy: Problem): Problem {
  const isOwn = causedBy.type === "mapper_parsing_exception" || causedBy.type === "parse_exception";
  const problem: Problem = { type: "mapper_parsing_exception", reason, status: 400, causedBy };
  return isOwn
    ? {
        ...problem,
        rootCauses: [{ type: causedBy.type, reason: causedBy.reason, status: causedBy.status }],
      }
    : problem;
}

/**
 * The mapping of a new index, merged from the mappings of its templates and its request. Later ones
 * take precedence.
 * @throws OperationError 400
 */
export function composeMappings(
  language: SearchLanguage,
  mappings: readonly JsonObject[],
  settings: IndexSettings,
): JsonObject {
  // Without a mapping nothing else builds the analyzers before a shard is opened.
  checkAnalysis(settings);
  return mappings
    .filter((mapping) => Object.keys(mapping).length > 0)
    .reduce(
      (current, next) => mergeMapping(current, next, { language, settings, reason: "template" }),
      {},
    );
}

/** How two mappings are merged. */
interface RootMerge {
  /** The index has no mapping yet, so nothing conflicts. */
  readonly isFirst: boolean;
  readonly isTemplate: boolean;
}

function mergeRoots(
  before: RootDefinition,
  added: RootDefinition,
  { isFirst, isTemplate }: RootMerge,
): RootDefinition {
  const metadata = new Map(before.metadata);
  for (const [name, value] of added.metadata) {
    const current = before.metadata.get(name) ?? {};
    if (!isFirst && !isTemplate) checkMetadataChange(name, current, value);
    metadata.set(name, isTemplate && name === "_meta" ? withDefaults(value, current) : value);
  }
  return {
    root: mergeObjects(before.root, added.root, isTemplate),
    metadata: new Map(
      ["_meta", "_routing", "_source", "_field_names", "_data_stream_timestamp", "_size"].flatMap(
        (name) => {
          const value = metadata.get(name);
          return value === undefined ? [] : [[name, value] as const];
        },
      ),
    ),
    dynamicDateFormats: added.dynamicDateFormats ?? before.dynamicDateFormats,
    dynamicTemplates: mergeTemplates(before, added),
    dateDetection: added.dateDetection ?? before.dateDetection,
    numericDetection: added.numericDetection ?? before.numericDetection,
  };
}

/** Merges objects member by member; members of `value` take precedence. */
function withDefaults(value: JsonObject, defaults: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = { ...value };
  for (const [key, fallback] of Object.entries(defaults)) {
    const given = lookup(merged, key);
    if (given === undefined) setKey(merged, key, fallback);
    else if (isJsonObject(given) && isJsonObject(fallback))
      setKey(merged, key, withDefaults(given, fallback));
  }
  return merged;
}

/** Replaces templates of the same name in place and appends others. */
function mergeTemplates(
  before: RootDefinition,
  added: RootDefinition,
): RootDefinition["dynamicTemplates"] {
  if (added.dynamicTemplates === undefined) return before.dynamicTemplates;
  const byName = new Map(
    (before.dynamicTemplates ?? []).map((template) => [template.name, template]),
  );
  for (const template of added.dynamicTemplates) byName.set(template.name, template);
  return [...byName.values()];
}

/** Defaults of metadata parameters, by which a change is recognised. */
const METADATA_DEFAULTS: Readonly<Record<string, Json>> = {
  required: false,
  includes: [],
  excludes: [],
};

function checkMetadataChange(name: string, before: JsonObject, after: JsonObject): void {
  if (name === "_meta") return;
  const keys = name === "_routing" ? ["required"] : ["enabled", "includes", "excludes"];
  const conflicts = keys.flatMap((key) => {
    const fallback = key === "enabled" ? isMetadataEnabled(name) : lookup(METADATA_DEFAULTS, key);
    const from = lookup(before, key) ?? fallback ?? null;
    const to = lookup(after, key) ?? fallback ?? null;
    return isSame(from, to) ? [] : [cannotUpdate(key, from, to)];
  });
  if (conflicts.length > 0) throw conflict(name, conflicts);
}

function mergeDefinitions(
  before: Definition | undefined,
  added: Definition,
  isTemplate: boolean,
): Definition {
  if (before === undefined) return added;
  if (before.kind === "object" && added.kind === "object") {
    return mergeObjects(before, added, isTemplate);
  }
  if (before.kind === "object" || added.kind === "object") {
    throw illegalArgument(
      `can't merge a non object mapping [${added.path}] with an object mapping`,
    );
  }
  if (isTemplate) return added;
  if (before.kind === "field" && added.kind === "field") return mergeFields(before, added);
  if (before.kind === "alias" && added.kind === "alias") return added;
  const [from, to] = [typeOf(before), typeOf(added)];
  throw illegalArgument(
    before.kind === "alias"
      ? `Cannot merge a field alias mapping [${before.path}] with a mapping that is not for a field alias.`
      : `mapper [${added.path}] cannot be changed from type [${from}] to [${to}]`,
  );
}

function typeOf(definition: Definition): string {
  return definition.kind === "field" ? definition.type : definition.kind;
}

function mergeObjects(
  before: ObjectDefinition,
  added: ObjectDefinition,
  isTemplate: boolean,
): ObjectDefinition {
  if (before.isNested !== added.isNested) {
    throw illegalArgument(
      before.isNested
        ? "cannot change object mapping from nested to non-nested"
        : "cannot change object mapping from non-nested to nested",
    );
  }
  if (before.enabled !== added.enabled && !isTemplate) {
    throw new OperationError({
      type: "mapper_exception",
      reason: `the [enabled] parameter can't be updated for the object mapping [${leafOf(before.path)}]`,
      status: 500,
    });
  }
  const properties = new Map(before.properties);
  for (const [name, definition] of added.properties) {
    properties.set(name, mergeDefinitions(before.properties.get(name), definition, isTemplate));
  }
  return {
    ...before,
    enabled: isTemplate && added.isEnabledGiven ? added.enabled : before.enabled,
    isEnabledGiven: before.isEnabledGiven || added.isEnabledGiven,
    dynamic: added.dynamic ?? before.dynamic,
    includeInParent: added.isNested ? added.includeInParent || before.includeInParent : false,
    includeInRoot: added.isNested ? added.includeInRoot || before.includeInRoot : false,
    properties,
  };
}

/** Merges a field; every parameter that changes must be updatable. */
function mergeFields(before: FieldDefinition, added: FieldDefinition): FieldDefinition {
  if (before.type !== added.type) {
    throw illegalArgument(
      `mapper [${added.path}] cannot be changed from type [${before.type}] to [${added.type}]`,
    );
  }
  const conflicts: string[] = [];
  for (const [key, parameter] of Object.entries(added.fieldType.parameters)) {
    const from = lookup(before.parameters, key) ?? parameter.fallback;
    const to = lookup(added.parameters, key) ?? parameter.fallback;
    if (isSame(from, to)) continue;
    const isAllowed =
      parameter.canUpdate && (parameter.canChange === undefined || parameter.canChange(from, to));
    if (!isAllowed) conflicts.push(cannotUpdate(key, from, to));
  }
  if (conflicts.length > 0) throw conflict(added.path, conflicts);
  const fields = new Map(before.fields);
  for (const [name, field] of added.fields) {
    const existing = before.fields.get(name);
    fields.set(name, existing === undefined ? field : mergeFields(existing, field));
  }
  return { ...added, fields };
}

function cannotUpdate(key: string, from: Json, to: Json): string {
  return `Cannot update parameter [${key}] from [${textOf(from)}] to [${textOf(to)}]`;
}

function conflict(name: string, conflicts: readonly string[]): OperationError {
  return illegalArgument(
    `Mapper for [${name}] conflicts with existing mapper:${conflicts.map((line) => `\n\t${line}`).join("")}`,
  );
}

// ------------------------------------------------------------------------------------------ limits

/** Counts that are limited. */
interface Totals {
  fields: number;
  nested: number;
}

function checkLimits({ root }: RootDefinition, settings: IndexSettings): void {
  const limit = (name: string, fallback: number): number => {
    const value = lookup(settings, `index.mapping.${name}.limit`);
    return typeof value === "string" ? Number(value) : fallback;
  };
  const nameLimit = limit("field_name_length", Number.MAX_SAFE_INTEGER);
  const totals: Totals = { fields: 0, nested: 0 };
  count(root, totals, nameLimit);
  const maxFields = limit("total_fields", 1000);
  if (totals.fields > maxFields)
    throw illegalArgument(`Limit of total fields [${maxFields}] has been exceeded`);
  const maxNested = limit("nested_fields", 50);
  if (totals.nested > maxNested)
    throw illegalArgument(`Limit of nested fields [${maxNested}] has been exceeded`);
  checkDepth(root, limit("depth", 20));
}

function count(object: ObjectDefinition, totals: Totals, nameLimit: number): void {
  for (const definition of object.properties.values()) {
    totals.fields += 1;
    const leaf = leafOf(definition.path);
    if (leaf.length > nameLimit) {
      throw illegalArgument(
        `Field name [${leaf}] is longer than the limit of [${nameLimit}] characters`,
      );
    }
    if (definition.kind === "field") totals.fields += countMultiFields(definition);
    if (definition.kind !== "object") continue;
    if (definition.isNested) totals.nested += 1;
    count(definition, totals, nameLimit);
  }
}

function countMultiFields(field: FieldDefinition): number {
  let total = 0;
  for (const inner of field.fields.values()) total += 1 + countMultiFields(inner);
  return total;
}

function checkDepth(object: ObjectDefinition, limit: number): void {
  for (const definition of object.properties.values()) {
    if (definition.kind !== "object") continue;
    const depth = definition.path.split(".").length + 1;
    if (depth > limit) {
      throw illegalArgument(
        `Limit of mapping depth [${limit}] has been exceeded due to object field [${definition.path}]`,
      );
    }
    checkDepth(definition, limit);
  }
}

// ------------------------------------------------------------------------------------------ aliases

/** Checks that each alias refers to an existing field. */
function checkAliases(root: ObjectDefinition): void {
  if (!hasAlias(root)) return;
  const all = new Map<string, Definition>();
  collect(root, all);
  for (const definition of all.values()) {
    if (definition.kind !== "alias") continue;
    const { path, target } = definition;
    const start = `Invalid [path] value [${target}] for field alias [${path}]:`;
    const found = all.get(target);
    if (target === path) throw mappingFailure(`${start} an alias cannot refer to itself.`);
    if (found?.kind === "alias")
      throw mappingFailure(`${start} an alias cannot refer to another alias.`);
    if (found === undefined || found.kind === "object") {
      throw mappingFailure(`${start} an alias must refer to an existing field in the mappings.`);
    }
  }
}

function hasAlias(object: ObjectDefinition): boolean {
  for (const definition of object.properties.values()) {
    if (definition.kind === "alias") return true;
    if (definition.kind === "object" && hasAlias(definition)) return true;
  }
  return false;
}

function collect(object: ObjectDefinition, into: Map<string, Definition>): void {
  for (const definition of object.properties.values()) {
    into.set(definition.path, definition);
    if (definition.kind === "object") collect(definition, into);
    if (definition.kind === "field") collectFields(definition, into);
  }
}

function collectFields(field: FieldDefinition, into: Map<string, Definition>): void {
  for (const inner of field.fields.values()) {
    into.set(inner.path, inner);
    collectFields(inner, into);
  }
}
