/**
 * Dynamic templates: the mappings of unknown fields, by their names and kinds of values. Source:
 * `DynamicTemplate`.
 */
import {
  illegalArgument,
  isJsonObject,
  type Json,
  type JsonObject,
  lookup,
  compileJavaPattern,
  matchesGlob,
} from "@orrery/stdx";
import { mappingFailure, textOf } from "./parameters.ts";

/** Kind of the JSON value with which an unknown field comes. */
export type MatchType = "object" | "string" | "long" | "double" | "boolean" | "date" | "binary";

const MATCH_TYPES: readonly MatchType[] = [
  "object",
  "string",
  "long",
  "double",
  "boolean",
  "date",
  "binary",
];

/** A parsed template. */
export interface DynamicTemplate {
  readonly name: string;
  /** The template as given, which is printed. */
  readonly json: JsonObject;
  /** Kind of value that the template matches; `undefined`: any. */
  readonly matchMappingType: MatchType | undefined;
  /** The patterns are regular expressions of Java. */
  readonly isRegex: boolean;
  /** Whether the last part of the path and the path satisfy the patterns. */
  readonly matches: (name: string, path: string) => boolean;
}

/**
 * The templates in their order; a repeated name replaces the earlier template.
 * @throws OperationError 400
 */
export function parseDynamicTemplates(value: Json): DynamicTemplate[] {
  if (!Array.isArray(value))
    throw mappingFailure("Dynamic template syntax error. An array of named objects is expected.");
  const templates = new Map<string, DynamicTemplate>();
  for (const item of value as readonly Json[]) {
    const entries = isJsonObject(item) ? Object.entries(item) : [];
    const [entry] = entries;
    if (entries.length !== 1 || entry === undefined || !isJsonObject(entry[1])) {
      throw mappingFailure("A dynamic template must be defined with a name");
    }
    templates.set(entry[0], parseTemplate(entry[0], entry[1]));
  }
  return [...templates.values()];
}

const KEYS = new Set([
  "match",
  "path_match",
  "unmatch",
  "path_unmatch",
  "match_mapping_type",
  "match_pattern",
  "mapping",
]);

function parseTemplate(name: string, json: JsonObject): DynamicTemplate {
  for (const key of Object.keys(json)) {
    if (!KEYS.has(key)) throw illegalArgument(`Illegal dynamic template parameter: [${key}]`);
  }
  const { match_mapping_type: given, mapping } = json as Readonly<Record<string, Json | undefined>>;
  const word = given === undefined ? undefined : textOf(given);
  const type = MATCH_TYPES.find((candidate) => candidate === word);
  if (word !== undefined && word !== "*" && type === undefined) {
    throw illegalArgument(
      `No field type matched on [${word}], possible values are [${MATCH_TYPES.join(", ")}]`,
    );
  }
  if (!isJsonObject(mapping)) throw mappingFailure(`template [${name}] must have a mapping set`);
  const hasCondition = ["match", "path_match", "match_mapping_type"].some(
    (key) => lookup(json, key) !== undefined,
  );
  if (!hasCondition) {
    throw mappingFailure("template must have match, path_match or match_mapping_type set");
  }
  const isRegex = json["match_pattern"] === "regex";
  return { name, json, matchMappingType: type, isRegex, matches: matcher(json, isRegex) };
}

function matcher(json: JsonObject, isRegex: boolean): (name: string, path: string) => boolean {
  const test = (key: string): ((text: string) => boolean) | undefined => {
    const pattern = lookup(json, key);
    if (pattern === undefined) return undefined;
    const text = textOf(pattern);
    if (!isRegex) return (value) => matchesGlob(text, value);
    return compileJavaPattern(text, undefined).matchesWhole;
  };
  const match = test("match");
  const pathMatch = test("path_match");
  const unmatch = test("unmatch");
  const pathUnmatch = test("path_unmatch");
  return (name, path) =>
    (match === undefined || match(name)) &&
    (pathMatch === undefined || pathMatch(path)) &&
    (unmatch === undefined || !unmatch(name)) &&
    (pathUnmatch === undefined || !pathUnmatch(path));
}

/** An element of `dynamic_templates` as `GET _mapping` prints it. */
export function printTemplate(template: DynamicTemplate): JsonObject {
  return { [template.name]: template.json };
}

/**
 * The mapping of a field, with `{name}` and `{dynamic_type}` replaced; `type` defaults to the
 * dynamic one.
 */
export function templateMapping(
  template: DynamicTemplate,
  name: string,
  dynamicType: string,
): JsonObject {
  const filled = fill(template.json["mapping"] ?? {}, name, dynamicType);
  const json = isJsonObject(filled) ? filled : {};
  return json["type"] === undefined ? { type: dynamicType, ...json } : json;
}

function fill(value: Json, name: string, dynamicType: string): Json {
  if (typeof value === "string") {
    return value
      .replaceAll("{name}", name)
      .replaceAll("{dynamic_type}", dynamicType)
      .replaceAll("{dynamicType}", dynamicType);
  }
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => fill(item, name, dynamicType));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.replaceAll("{name}", name).replaceAll("{dynamic_type}", dynamicType),
      fill(item ?? null, name, dynamicType),
    ]),
  );
}
