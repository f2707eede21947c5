/**
 * Composition of a new index from a request and the templates that match it
 * (`MetadataCreateIndexService.applyCreateIndexRequest`): settings, mappings in merge order, aliases.
 */
import {
  jsonDigits,
  compareText,
  lookup,
  setKey,
  type Json,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import type { AliasMetadata, ClusterState, Settings, SettingsChange } from "../types.ts";
import {
  findIndexTemplate,
  findLegacyTemplates,
  matchAll,
  settingsOfIndexTemplate,
} from "./find.ts";
import {
  componentTemplatesOf,
  indexTemplatesOf,
  type IndexTemplate,
  type LegacyTemplate,
} from "./sections.ts";

/** A request to create an index. */
export interface IndexRequest {
  readonly name: string;
  /** Data stream of the new backing index; templates are then matched by the stream's name. */
  readonly dataStream?: string;
  readonly settings: SettingsChange;
  readonly mapping: JsonObject;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
}

/** Settings, mappings and aliases of a new index, composed of templates and request. */
export interface ComposedIndex {
  /** Settings of templates, overridden by the request's; a null of the request removes a template's value. */
  readonly settings: SettingsChange;
  /** Mappings in merge order, the request's last; a later one replaces fields of an earlier one. */
  readonly mappings: readonly JsonObject[];
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  /** Deprecation warnings for the client. */
  readonly warnings: readonly string[];
}

/** The outcome of composing an index. */
export type Composition =
  | { readonly kind: "composed"; readonly index: ComposedIndex }
  | { readonly kind: "rejected"; readonly error: Problem };

/**
 * Composes an index from a request and the matching index template of the highest priority, or all matching legacy
 * templates if no index template matches. Rejected when that index template sets `index.hidden` for all indices, or is
 * for data streams only.
 */
export function composeIndex(state: ClusterState, request: IndexRequest): Composition {
  const said = request.settings["index.hidden"];
  const isHidden = said === undefined || said === null ? undefined : said === "true";
  const matched = request.dataStream ?? request.name;
  const name = findIndexTemplate(state, matched, isHidden ?? false);
  const template = name === undefined ? undefined : indexTemplatesOf(state).get(name);
  if (name === undefined || template === undefined) {
    return { kind: "composed", index: withLegacy(state, request, isHidden) };
  }
  const error = applicationProblem(state, { name, template }, request);
  if (error !== undefined) return { kind: "rejected", error };
  return {
    kind: "composed",
    index: {
      settings: { ...settingsOfIndexTemplate(state, template), ...request.settings },
      mappings: [
        ...mappingsOfIndexTemplate(state, template, request.dataStream !== undefined),
        request.mapping,
      ],
      aliases: composeAliases(request, aliasesOfIndexTemplate(state, template)),
      warnings: [],
    },
  };
}

function applicationProblem(
  state: ClusterState,
  { name, template }: { readonly name: string; readonly template: IndexTemplate },
  request: IndexRequest,
): Problem | undefined {
  const isGlobal = template.index_patterns.some(matchAll);
  if (isGlobal && settingsOfIndexTemplate(state, template)["index.hidden"] !== undefined) {
    return {
      type: "illegal_state_exception",
      reason: `global index template [${name}], composed of component templates [${(template.composed_of ?? []).join(",")}] defined the index.hidden setting, which is not allowed`,
      status: 500,
    };
  }
  if (template.data_stream === undefined || request.dataStream !== undefined) return undefined;
  return {
    type: "illegal_argument_exception",
    reason: `cannot create index with name [${request.name}], because it matches with template [${name}] that creates data streams only, use create data stream api instead`,
    status: 400,
  };
}

/**
 * The mappings that an index template gives, to be merged in this order: those of its component templates, in the
 * template's order, then its own. For a backing index, the `date` field of the timestamp comes before all of them, and
 * the mapping of `_data_stream_timestamp` after them.
 */
export function mappingsOfIndexTemplate(
  state: ClusterState,
  template: IndexTemplate,
  isBacking: boolean,
): readonly JsonObject[] {
  const components = componentTemplatesOf(state);
  const parts = (template.composed_of ?? []).map((name) => components.get(name)?.template.mappings);
  const own = [...parts, template.template?.mappings].filter((mapping) => mapping !== undefined);
  const field = template.data_stream?.timestamp_field.name;
  if (!isBacking || field === undefined) return own;
  return [
    { properties: { [field]: { type: "date" } } },
    ...own,
    { _data_stream_timestamp: { enabled: true, timestamp_field: { name: field } } },
  ];
}

type Aliases = Readonly<Record<string, AliasMetadata>>;

/** Aliases by descending precedence: the template's own, then those of components from last to first. */
export function aliasesOfIndexTemplate(
  state: ClusterState,
  template: IndexTemplate,
): readonly Aliases[] {
  const components = componentTemplatesOf(state);
  const parts = (template.composed_of ?? []).map((name) => components.get(name)?.template.aliases);
  return [...parts, template.template?.aliases]
    .filter((aliases) => aliases !== undefined)
    .toReversed();
}

/** Aliases of the request and of templates, the request's taking precedence. `{index}` in a template's alias is replaced by the index name. */
function composeAliases(request: IndexRequest, fromTemplates: readonly Aliases[]): Aliases {
  const added = new Map<string, AliasMetadata>();
  for (const aliases of fromTemplates) {
    for (const [alias, metadata] of Object.entries(aliases)) {
      if (lookup(request.aliases, alias) !== undefined || added.has(alias)) continue;
      added.set(alias.replaceAll("{index}", request.name), metadata);
    }
  }
  return { ...Object.fromEntries(added), ...request.aliases };
}

function withLegacy(
  state: ClusterState,
  request: IndexRequest,
  isHidden: boolean | undefined,
): ComposedIndex {
  const found = findLegacyTemplates(state, request.name, isHidden);
  const templates = found.map(([, template]) => template);
  const names = found.map(([name]) => name).toSorted(compareText);
  return {
    settings: { ...settingsOfLegacyTemplates(templates), ...request.settings },
    mappings: [mappingUnderLegacyTemplates(request.mapping, templates)],
    aliases: composeAliases(
      request,
      templates.map(({ aliases }) => aliases),
    ),
    warnings:
      names.length > 1
        ? [
            `index [${request.name}] matches multiple legacy templates [${names.join(", ")}], composable templates will only match a single template`,
          ]
        : [],
  };
}

/** Settings of legacy templates, which are given highest order first; those of the highest order take precedence. */
export function settingsOfLegacyTemplates(templates: readonly LegacyTemplate[]): Settings {
  const all = templates.map(({ settings }) => settings).toReversed();
  return Object.fromEntries(all.flatMap((settings) => Object.entries(settings)));
}

function mappingUnderLegacyTemplates(
  mapping: JsonObject,
  templates: readonly LegacyTemplate[],
): JsonObject {
  return templates.reduce((merged, { mappings }) => withDefaults(merged, mappings), mapping);
}

/** Merge of defaults into content (`XContentHelper.mergeDefaults`): values of the content stay, objects are merged, lists are joined. */
function withDefaults(content: JsonObject, defaults: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = { ...content };
  for (const [key, fallback] of Object.entries(defaults)) {
    const given = lookup(merged, key);
    if (given === undefined) setKey(merged, key, fallback);
    else if (isObject(given) && isObject(fallback))
      setKey(merged, key, withDefaults(given, fallback));
    else if (Array.isArray(given) && Array.isArray(fallback))
      setKey(merged, key, withDefaultItems(given as readonly Json[], fallback as readonly Json[]));
  }
  return merged;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Merge of two lists; lists of objects with one key each are merged by that key. */
function withDefaultItems(given: readonly Json[], fallback: readonly Json[]): Json {
  const named = (item: Json): item is JsonObject =>
    isObject(item) && Object.values(item).length === 1 && isObject(Object.values(item)[0]);
  if (given.every(named) && fallback.every(named)) {
    const byKey = new Map(given.map((item) => [Object.keys(item)[0] ?? "", item]));
    for (const item of fallback) {
      const key = Object.keys(item)[0] ?? "";
      byKey.set(key, withDefaults(byKey.get(key) ?? {}, item));
    }
    return [...byKey.values()] as Json;
  }
  const texts = new Set(fallback.map((item) => jsonDigits(item)));
  return [...fallback, ...given.filter((item) => !texts.has(jsonDigits(item)))];
}
