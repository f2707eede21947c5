/**
 * Custom sections of templates: composable index templates, component templates, and legacy templates
 * (`ComposableIndexTemplate`, `ComponentTemplate`, `IndexTemplateMetadata`). Settings are flat, aliases as in index
 * metadata.
 */
import type { Json, JsonObject } from "@orrery/stdx";
import { customOf, withCustom } from "../customs.ts";
import { isSameJson } from "../same-json.ts";
import type { AliasMetadata, ClusterState, Settings } from "../types.ts";

/** Content of a template. A part that the client did not give stays absent, since responses show the difference. */
export interface Template {
  readonly settings?: Settings;
  readonly mappings?: JsonObject;
  readonly aliases?: Readonly<Record<string, AliasMetadata>>;
}

/** A component template, as the product stores it. */
export interface ComponentTemplate {
  readonly template: Template;
  readonly version?: number;
  readonly _meta?: JsonObject;
}

/** A composable index template, as the product stores it. */
export interface IndexTemplate {
  readonly index_patterns: readonly string[];
  readonly template?: Template;
  readonly composed_of?: readonly string[];
  readonly priority?: number;
  readonly version?: number;
  readonly _meta?: JsonObject;
  /** Present if the template is for data streams. */
  readonly data_stream?: { readonly timestamp_field: { readonly name: string } };
}

/** A legacy template; several may match an index, merged by `order`. */
export interface LegacyTemplate {
  readonly order: number;
  readonly version?: number;
  readonly index_patterns: readonly string[];
  readonly settings: Settings;
  readonly mappings: JsonObject;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
}

/** Names of the sections, as in the product. */
export const templateSections = {
  component: "component_template",
  index: "index_template",
  legacy: "templates",
} as const;

type Section = (typeof templateSections)[keyof typeof templateSections];

const read = new WeakMap<object, ReadonlyMap<string, unknown>>();

/** Templates in the order in which they were first added; the same map for the same section. An emptied section stays. */
function sectionOf<Value>(state: ClusterState, section: Section): ReadonlyMap<string, Value> {
  const list = customOf(state, section);
  if (!Array.isArray(list)) return new Map<string, Value>();
  const known = read.get(list) as ReadonlyMap<string, Value> | undefined;
  if (known !== undefined) return known;
  const map = new Map<string, Value>(list);
  read.set(list, map);
  return map;
}

function withSection(
  state: ClusterState,
  section: Section,
  entries: ReadonlyMap<string, unknown>,
): ClusterState {
  return withCustom(state, section, [...entries] as Json);
}

export function componentTemplatesOf(state: ClusterState): ReadonlyMap<string, ComponentTemplate> {
  return sectionOf(state, templateSections.component);
}

export function indexTemplatesOf(state: ClusterState): ReadonlyMap<string, IndexTemplate> {
  return sectionOf(state, templateSections.index);
}

export function legacyTemplatesOf(state: ClusterState): ReadonlyMap<string, LegacyTemplate> {
  return sectionOf(state, templateSections.legacy);
}

export function withComponentTemplates(
  state: ClusterState,
  templates: ReadonlyMap<string, ComponentTemplate>,
): ClusterState {
  return withSection(state, templateSections.component, templates);
}

export function withIndexTemplates(
  state: ClusterState,
  templates: ReadonlyMap<string, IndexTemplate>,
): ClusterState {
  return withSection(state, templateSections.index, templates);
}

export function withLegacyTemplates(
  state: ClusterState,
  templates: ReadonlyMap<string, LegacyTemplate>,
): ClusterState {
  return withSection(state, templateSections.legacy, templates);
}

export function isSameTemplate(a: object, b: object): boolean {
  return isSameJson(a as Json, b as Json);
}

/**
 * The new value of a custom section that is restored: legacy templates of the snapshot are added to those of the
 * cluster by name, any other section replaces that of the cluster.
 */
export function restoredTemplates(state: ClusterState, section: string, value: Json): Json {
  if (section !== templateSections.legacy || !Array.isArray(value)) return value;
  const added = value as unknown as readonly (readonly [string, LegacyTemplate])[];
  return [...new Map([...legacyTemplatesOf(state), ...added])] as unknown as Json;
}
