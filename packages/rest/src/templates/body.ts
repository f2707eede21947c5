/** Parsers of template bodies. Source: `ComposableIndexTemplate`, `ComponentTemplate`, `Template`, `PutIndexTemplateRequest`. */
import {
  flattenSettings,
  type AliasMetadata,
  type ComponentTemplate,
  type IndexTemplate,
  type LegacyTemplate,
  type Settings,
  type Template,
} from "@orrery/cluster-state";
import {
  jsonNumber,
  javaText,
  illegalArgument,
  isJsonObject,
  OperationError,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { requiredContent } from "../body.ts";
import type { Content } from "../content.ts";
import { ALIAS_KEYS, aliasOfJson } from "../indices/alias-metadata.ts";
import { refuseTypedMapping } from "../indices/typed-mapping.ts";
import type { BodyParser } from "../operation.ts";
import { numberFormatProblem, parseInt32 } from "../parameters.ts";
import {
  inside,
  strictNumber,
  strictObject,
  strictTexts,
  type Place,
  type StrictParser,
} from "./strict-object.ts";

const templateParser: StrictParser = {
  name: "template",
  fields: { settings: "object", mappings: "object", aliases: "object" },
};

const aliasParser: StrictParser = {
  name: "alias",
  fields: Object.fromEntries(ALIAS_KEYS.map((key) => [key, "any"])),
};

const componentParser: StrictParser = {
  name: "component_template",
  fields: { template: "object", version: "number", _meta: "object" },
};

const indexParser: StrictParser = {
  name: "index_template",
  fields: {
    index_patterns: "texts",
    template: "object",
    priority: "number",
    composed_of: "texts",
    version: "number",
    _meta: "object",
    data_stream: "object",
    context: "object",
  },
};

/** Parses a component template. */
export const componentTemplateBody: BodyParser<ComponentTemplate> = (sent, request) => {
  const content = requiredContent(sent, request);
  const place = { content, path: [], outer: [] };
  const body = strictObject(content.json(), componentParser, place);
  if (body["template"] === undefined) throw illegalArgument("Required [template]");
  return {
    template: templateOf(body["template"], inside(place, componentParser, "template")),
    ...versionAndMeta(body, componentParser, place),
  };
};

/** The parsed body of a request that stores or simulates an index template. */
export interface SentIndexTemplate {
  readonly template: IndexTemplate;
  /** Whether the body has `context`, which names a system template; Orrery has none. */
  readonly hasContext: boolean;
}

/** Parses an index template; the body is required. */
export const indexTemplateBody: BodyParser<SentIndexTemplate> = (sent, request) =>
  sentIndexTemplate(requiredContent(sent, request));

/** Parses an index template; `undefined` without a body. */
export const optionalIndexTemplateBody: BodyParser<SentIndexTemplate | undefined> = (content) =>
  content === undefined ? undefined : sentIndexTemplate(content);

function sentIndexTemplate(content: Content): SentIndexTemplate {
  const place = { content, path: [], outer: [] };
  const body = strictObject(content.json(), indexParser, place);
  const parser = indexParser;
  const patterns = strictTexts(body, "index_patterns", { parser, place });
  const parts = strictTexts(body, "composed_of", { parser, place });
  const priority = strictNumber(body, "priority", { parser, place });
  if (patterns === undefined) throw illegalArgument("Required [index_patterns]");
  const { template } = body;
  const stream = body["data_stream"];
  const read: IndexTemplate = {
    index_patterns: patterns,
    ...(template === undefined
      ? {}
      : { template: templateOf(template, inside(place, indexParser, "template")) }),
    ...(parts === undefined ? {} : { composed_of: parts }),
    ...(priority === undefined ? {} : { priority }),
    ...versionAndMeta(body, indexParser, place),
    ...(isJsonObject(stream) ? { data_stream: { timestamp_field: timestampField(stream) } } : {}),
  };
  return { template: read, hasContext: body["context"] !== undefined };
}

function timestampField(stream: JsonObject): { readonly name: string } {
  const field = stream["timestamp_field"];
  const name = isJsonObject(field) ? field["name"] : undefined;
  return { name: typeof name === "string" ? name : "@timestamp" };
}

function versionAndMeta(
  body: JsonObject,
  parser: StrictParser,
  place: Place,
): { readonly version?: number; readonly _meta?: JsonObject } {
  const version = strictNumber(body, "version", { parser, place });
  if (version !== undefined && version < 0) {
    throw illegalArgument(`[version] must not be negative but was [${version}]`);
  }
  const meta = body["_meta"];
  return {
    ...(version === undefined ? {} : { version }),
    ...(isJsonObject(meta) ? { _meta: meta } : {}),
  };
}

function templateOf(value: Json, place: Place): Template {
  const { settings, mappings, aliases } = strictObject(value, templateParser, place);
  return {
    ...(isJsonObject(settings) ? { settings: settingsOf(settings) } : {}),
    ...(isJsonObject(mappings) && Object.keys(mappings).length > 0 ? { mappings } : {}),
    ...(isJsonObject(aliases) ? { aliases: strictAliases(aliases, place) } : {}),
  };
}

function strictAliases(aliases: JsonObject, place: Place): NonNullable<Template["aliases"]> {
  const outside = inside(place, templateParser, "aliases");
  for (const [name, alias = null] of Object.entries(aliases)) {
    strictObject(alias, aliasParser, inside(outside, aliasParser, name));
  }
  return aliasesOf(aliases);
}

function settingsOf(settings: JsonObject): Settings {
  const flat = Object.entries(flattenSettings(settings, "index."));
  return Object.fromEntries(flat.flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

function aliasesOf(aliases: JsonObject): Readonly<Record<string, AliasMetadata>> {
  return Object.fromEntries(
    Object.entries(aliases).map(([name, alias]) => [
      name,
      aliasOfJson(isJsonObject(alias) ? alias : {}),
    ]),
  );
}

// ------------------------------------------------------------------------------------------ legacy

/** The parsed body of a request that stores a legacy template. */
export interface LegacyBody {
  /** The template. Missing index patterns are refused later, after the parameters have been checked. */
  readonly template: LegacyTemplate;
  /** `order` of the body; `undefined`: that of the parameter. */
  readonly order: number | undefined;
}

/** Parses a legacy template. */
export const legacyTemplateBody: BodyParser<LegacyBody> = (sent, request) => {
  const body = requiredContent(sent, request).map();
  let order: number | undefined;
  let version: number | undefined;
  let patterns: readonly string[] = [];
  const parts = { settings: {} as Settings, mappings: {} as JsonObject, aliases: {} };
  for (const [key, value = null] of Object.entries(body)) {
    switch (key) {
      case "template":
        request.warn("Deprecated field [template] used, replaced by [index_patterns]");
        patterns = patternsOf(value);
        break;
      case "index_patterns":
        patterns = patternsOf(value);
        break;
      case "order":
        order = orderOf(value);
        break;
      case "version":
        if (!Number.isInteger(value)) {
          throw illegalArgument("Malformed [version] value, should be an integer");
        }
        version = jsonNumber(value);
        break;
      case "settings":
        parts.settings = settingsOf(section(value, key));
        break;
      case "mappings":
        parts.mappings = section(value, key);
        refuseTypedMapping(parts.mappings);
        break;
      case "aliases":
        parts.aliases = aliasesOf(section(value, key));
        break;
      default:
        throw unknownKey(key);
    }
  }
  const template = { order: 0, index_patterns: patterns, ...parts };
  return { template: version === undefined ? template : { ...template, version }, order };
};

function patternsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).map(javaText);
  throw illegalArgument("Malformed [template] value, should be a string or a list of strings");
}

function orderOf(value: Json): number {
  const order = parseInt32(javaText(value));
  if (order === undefined) throw new OperationError(numberFormatProblem(javaText(value)));
  return order;
}

function section(value: Json, key: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw illegalArgument(`Malformed [${key}] section, should include an inner object`);
}

function unknownKey(key: string): OperationError {
  const reason = `unknown key [${key}] in the template `;
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}
