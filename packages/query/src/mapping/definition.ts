/**
 * Parses mapping JSON into definitions: names, types and parameters are checked, defaults are not
 * filled in. Source: `RootObjectMapper.TypeParser`, `ObjectMapper.TypeParser`,
 * `ParametrizedFieldMapper.TypeParser`.
 */
import { jsonText } from "../json/json-text.ts";
import type { Analysis } from "@orrery/analysis";
import {
  illegalArgument,
  isJsonObject,
  lookup,
  OperationError,
  setKey,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { dateFormatOf } from "../dates/format.ts";
import { checkParts } from "./document-rules.ts";
import { parseDynamicTemplates, type DynamicTemplate } from "./dynamic-templates.ts";
import { METADATA_FIELDS } from "./metadata-fields.ts";
import type { SearchLanguage } from "../language/language.ts";
import type { FieldType } from "../language/field-type.ts";
import { mappingFailure, parseBoolean, textOf } from "./parameters.ts";

/**
 * Treatment of unknown names in documents: they are mapped, ignored, or rejected. The last two
 * values map names for which a template matches, and treat other names as `strict` or `false`.
 */
export type Dynamic =
  | "true"
  | "false"
  | "strict"
  | "strict_allow_templates"
  | "false_allow_templates";

/** The definition of one member of `properties`. */
export type Definition = ObjectDefinition | FieldDefinition | AliasDefinition;

/** An object, or the root of a mapping (with an empty path). */
export interface ObjectDefinition {
  readonly kind: "object";
  readonly path: string;
  readonly isNested: boolean;
  readonly includeInParent: boolean;
  readonly includeInRoot: boolean;
  /** Treatment of unknown names in the object; `undefined`: that of its parent. */
  readonly dynamic: Dynamic | undefined;
  readonly enabled: boolean;
  /** Whether the JSON gives `enabled`, if only with its default. */
  readonly isEnabledGiven: boolean;
  /** Members by the last part of their paths. */
  readonly properties: ReadonlyMap<string, Definition>;
}

/** The definition of a field. */
export interface FieldDefinition {
  readonly kind: "field";
  readonly path: string;
  readonly type: string;
  /** The language's row for `type`. */
  readonly fieldType: FieldType;
  /**
   * Given parameters whose values are kept: those that differ from their defaults, or are kept in
   * any case (`isAlwaysPrinted`, `isExplicit`).
   */
  readonly parameters: Readonly<Record<string, Json>>;
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  readonly copyTo: readonly string[];
}

/** The definition of a field alias, which stands for the field at path `target`. */
export interface AliasDefinition {
  readonly kind: "alias";
  readonly path: string;
  readonly target: string;
}

/** A whole mapping; `undefined`: the member is not given. */
export interface RootDefinition {
  readonly root: ObjectDefinition;
  /** `_source`, `_routing`, `_meta` and others as given, defaults left out. */
  readonly metadata: ReadonlyMap<string, JsonObject>;
  readonly dynamicDateFormats: readonly string[] | undefined;
  readonly dynamicTemplates: readonly DynamicTemplate[] | undefined;
  readonly dateDetection: boolean | undefined;
  readonly numericDetection: boolean | undefined;
}

/** The language and analyzers by which definitions are checked. */
export interface DefinitionContext {
  readonly language: SearchLanguage;
  readonly analysis: Analysis;
}

/** Metadata members of a mapping, in the order in which they print. */
const ROOT_METADATA = [
  "_meta",
  "_routing",
  "_source",
  "_field_names",
  "_data_stream_timestamp",
  "_size",
];
const ROOT_KEYS = new Set([
  ...ROOT_METADATA,
  "dynamic",
  "enabled",
  "properties",
  "dynamic_date_formats",
  "dynamic_templates",
  "date_detection",
  "numeric_detection",
  "date_formats",
  "derived",
]);

/**
 * Parses a mapping.
 * @throws OperationError 400 `mapper_parsing_exception` and others, in the product's words
 */
export function parseDefinition(json: JsonObject, context: DefinitionContext): RootDefinition {
  const unknown = Object.keys(json).filter((key) => !ROOT_KEYS.has(key));
  if (unknown.length > 0) throw unsupported("Root mapping definition", json, unknown);
  const metadata = new Map<string, JsonObject>();
  for (const key of ROOT_METADATA) {
    const value = lookup(json, key);
    if (value === undefined) continue;
    if (!isJsonObject(value)) throw mappingFailure(`[${key}] config must be an object`);
    metadata.set(key, checkMetadata(key, value));
  }
  const formats = json["dynamic_date_formats"] ?? json["date_formats"];
  const templates = json["dynamic_templates"];
  return {
    root: parseObject("", json, false, context),
    metadata,
    dynamicDateFormats: formats === undefined ? undefined : parseFormats(formats),
    dynamicTemplates: templates === undefined ? undefined : parseDynamicTemplates(templates),
    dateDetection: optionalFlag(json["date_detection"]),
    numericDetection: optionalFlag(json["numeric_detection"]),
  };
}

/** A metadata member, normalised. */
function checkMetadata(key: string, value: JsonObject): JsonObject {
  if (key === "_meta") return value;
  const accepted: Readonly<Record<string, readonly string[]>> = {
    _routing: ["required"],
    _source: [
      "enabled",
      "includes",
      "excludes",
      "recovery_source_enabled",
      "recovery_source_includes",
      "recovery_source_excludes",
    ],
    _field_names: ["enabled"],
    _data_stream_timestamp: ["enabled", "timestamp_field"],
    _size: ["enabled"],
  };
  const unknown = Object.keys(value).filter((name) => !lookup(accepted, key)?.includes(name));
  if (unknown.length > 0) {
    throw mappingFailure(`unknown parameter [${unknown[0]}] on metadata field [${key}]`);
  }
  const normal: Record<string, Json> = {};
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (name === "timestamp_field") {
      if (timestampFieldOf(item) !== DEFAULT_TIMESTAMP_FIELD) setKey(normal, name, item);
      continue;
    }
    const isList = name.endsWith("includes") || name.endsWith("excludes");
    const parsed = isList ? (Array.isArray(item) ? item : [item]) : parseBoolean(item);
    const isDefault = isList
      ? parsed === undefined
      : parsed === (name === "enabled" && isMetadataEnabled(key));
    if (!isDefault) setKey(normal, name, parsed as Json);
  }
  return normal;
}

/** The default of `enabled` for a metadata member. */
export function isMetadataEnabled(key: string): boolean {
  return key !== "_data_stream_timestamp" && key !== "_size";
}

const DEFAULT_TIMESTAMP_FIELD = "@timestamp";

function timestampFieldOf(value: Json | undefined): string {
  const name = isJsonObject(value) ? value["name"] : undefined;
  return typeof name === "string" ? name : DEFAULT_TIMESTAMP_FIELD;
}

/**
 * The field of which each document of a data stream has exactly one value; `undefined`: the index
 * is not of a data stream.
 */
export function requiredTimestampField({ metadata }: RootDefinition): string | undefined {
  const given = metadata.get("_data_stream_timestamp");
  return given?.["enabled"] === true ? timestampFieldOf(given["timestamp_field"]) : undefined;
}

function parseFormats(value: Json): string[] {
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return list.map(textOf).filter((format) => {
    if (format === "none") return false;
    dateFormatOf(format);
    return true;
  });
}

function optionalFlag(value: Json | undefined): boolean | undefined {
  return value === undefined ? undefined : parseBoolean(value);
}

const OBJECT_KEYS = new Set(["type", "dynamic", "enabled", "properties", "include_in_all"]);
const NESTED_KEYS = new Set([...OBJECT_KEYS, "include_in_parent", "include_in_root"]);

function parseObject(
  path: string,
  json: JsonObject,
  isNested: boolean,
  context: DefinitionContext,
): ObjectDefinition {
  if (path !== "") {
    const known = isNested ? NESTED_KEYS : OBJECT_KEYS;
    const unknown = Object.keys(json).filter((key) => !known.has(key));
    if (unknown.length > 0)
      throw unsupported(`Mapping definition for [${leafOf(path)}]`, json, unknown);
  }
  const properties = new Map<string, Definition>();
  const given = json["properties"];
  if (given !== undefined) {
    if (!isJsonObject(given) && !(Array.isArray(given) && given.length === 0)) {
      throw mappingFailure("properties must be a map type");
    }
    for (const [name, value] of Object.entries(given)) {
      if (value !== undefined) addProperty(properties, { parent: path, name, value }, context);
    }
  }
  return {
    kind: "object",
    path,
    isNested,
    includeInParent:
      json["include_in_parent"] !== undefined && parseBoolean(json["include_in_parent"]),
    includeInRoot: json["include_in_root"] !== undefined && parseBoolean(json["include_in_root"]),
    dynamic: parseDynamic(json["dynamic"], path),
    enabled: json["enabled"] === undefined || parseBoolean(json["enabled"]),
    isEnabledGiven: json["enabled"] !== undefined,
    properties,
  };
}

function parseDynamic(value: Json | undefined, path: string): Dynamic | undefined {
  if (value === undefined) return undefined;
  const word = textOf(value).toLowerCase();
  if (word === "strict" || word === "strict_allow_templates" || word === "false_allow_templates")
    return word;
  try {
    return parseBoolean(value) ? "true" : "false";
  } catch (error) {
    const cause = error instanceof OperationError ? error.problem : undefined;
    throw illegalArgument(
      `Could not convert [${path === "" ? "dynamic" : path}.dynamic] to boolean`,
      cause,
    );
  }
}

/** A member of `properties` with the path of its object. */
interface Property {
  readonly parent: string;
  readonly name: string;
  readonly value: Json;
}

/** Adds a property; a dotted name opens the objects on its way. */
function addProperty(
  properties: Map<string, Definition>,
  property: Property,
  context: DefinitionContext,
): void {
  const { parent, name, value } = property;
  if (name === "") throw illegalArgument("name cannot be empty string");
  if (parent === "" && METADATA_FIELDS.has(name))
    throw mappingFailure(`Field [${name}] is defined more than once`);
  const parts = name.split(".").filter((part) => part !== "");
  if (parts.length === 0) throw mappingFailure("field name cannot contain only the character [.]");
  checkParts(parts);
  const [leaf = ""] = parts;
  if (parts.length === 1) {
    const definition = parseProperty(join(parent, leaf), value, context);
    const existing = properties.get(leaf);
    properties.set(leaf, existing === undefined ? definition : mergeTwins(existing, definition));
    return;
  }
  const existing = properties.get(leaf);
  const inner = new Map(existing?.kind === "object" ? existing.properties : []);
  addProperty(
    inner,
    { parent: join(parent, leaf), name: parts.slice(1).join("."), value },
    context,
  );
  const object =
    existing?.kind === "object" ? existing : parseObject(join(parent, leaf), {}, false, context);
  properties.set(leaf, { ...object, properties: inner });
}

/** Merges `a` and `a.b` of one `properties`, which describe the same object. */
function mergeTwins(a: Definition, b: Definition): Definition {
  if (a.kind !== "object" || b.kind !== "object") return b;
  return { ...b, properties: new Map([...a.properties, ...b.properties]) };
}

/** A definition by its `type`; one without type is an object if it has members of one. */
function parseProperty(path: string, value: Json, context: DefinitionContext): Definition {
  const leaf = leafOf(path);
  if (!isJsonObject(value)) {
    if (Array.isArray(value) && value.length === 0) return parseObject(path, {}, false, context);
    const given = typeof value === "string" ? "java.lang.String" : javaClass(value);
    throw mappingFailure(
      `Expected map for property [fields] on field [${leaf}] but got a class ${given}`,
    );
  }
  const given = value["type"];
  let type = given === undefined ? undefined : textOf(given);
  if (type === undefined) {
    const isObject =
      value["properties"] !== undefined ||
      value["dynamic"] !== undefined ||
      value["enabled"] !== undefined;
    if (!isObject) throw mappingFailure(`No type specified for field [${leaf}]`);
    type = "object";
  }
  if (type === "object" || type === "nested")
    return parseObject(path, value, type === "nested", context);
  if (type === "alias") return parseAlias(path, value);
  return parseField(path, type, value, context);
}

/** The Java class of a JSON value, for errors. */
function javaClass(value: Json): string {
  if (Array.isArray(value)) return "java.util.ArrayList";
  if (typeof value === "boolean") return "java.lang.Boolean";
  if (typeof value === "number")
    return Number.isInteger(value) ? "java.lang.Integer" : "java.lang.Double";
  return "java.lang.Object";
}

function parseAlias(path: string, json: JsonObject): AliasDefinition {
  const target = json["path"];
  if (typeof target !== "string" || target === "") {
    throw mappingFailure(`The [path] property must be specified for field [${leafOf(path)}].`);
  }
  const unknown = Object.keys(json).filter((key) => key !== "path" && key !== "type");
  if (unknown.length > 0)
    throw unsupported(`Mapping definition for [${leafOf(path)}]`, json, unknown);
  return { kind: "alias", path, target };
}

/** A field with its parameters, multi-fields and copies. */
function parseField(
  path: string,
  typeName: string,
  json: JsonObject,
  context: DefinitionContext,
): FieldDefinition {
  const leaf = leafOf(path);
  const type = context.language.fieldTypes.get(typeName);
  if (type === undefined)
    throw mappingFailure(`No handler for type [${typeName}] declared on field [${leaf}]`);
  const parameters: Record<string, Json> = {};
  const given: Record<string, Json> = {};
  let fields: ReadonlyMap<string, FieldDefinition> = new Map();
  let copyTo: readonly string[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (value === undefined || key === "type") continue;
    if (key === "fields") {
      fields = parseMultiFields(path, value, context);
    } else if (key === "copy_to") {
      copyTo = (Array.isArray(value) ? (value as readonly Json[]) : [value]).map(textOf);
    } else {
      const parameter = lookup(type.parameters, key);
      if (parameter === undefined) {
        throw mappingFailure(
          `unknown parameter [${key}] on mapper [${leaf}] of type [${typeName}]`,
        );
      }
      if (value === null && parameter.fallback !== null) {
        throw mappingFailure(
          `[${key}] on mapper [${leaf}] of type [${typeName}] must not have a [null] value`,
        );
      }
      const parsed =
        value === null
          ? null
          : parameter.parse(value, {
              analysis: context.analysis,
              field: key === "index_options" ? key : leaf,
            });
      setKey(given, key, parsed);
      if (
        parameter.isAlwaysPrinted === true ||
        parameter.isExplicit === true ||
        !isSame(parsed, parameter.fallback)
      )
        setKey(parameters, key, parsed);
    }
  }
  for (const [key, parameter] of Object.entries(type.parameters)) {
    if (parameter.isRequired === true && lookup(parameters, key) === undefined) {
      throw illegalArgument(`Field [${key}] is required`);
    }
  }
  type.check?.(leaf, given);
  return { kind: "field", path, type: typeName, fieldType: type, parameters, fields, copyTo };
}

function parseMultiFields(
  path: string,
  value: Json,
  context: DefinitionContext,
): Map<string, FieldDefinition> {
  const fields = new Map<string, FieldDefinition>();
  if (Array.isArray(value) && value.length === 0) return fields;
  if (!isJsonObject(value)) {
    throw mappingFailure(
      `expected map for property [fields] on field [${leafOf(path)}] or [fields] but got a class ${javaClass(value)}`,
    );
  }
  for (const [name, item] of Object.entries(value)) {
    if (name.includes(".")) {
      throw mappingFailure(
        `Field name [${name}] which is a multi field of [${leafOf(path)}] cannot contain '.'`,
      );
    }
    if (!isJsonObject(item))
      throw mappingFailure(`illegal field [${name}], only fields can be specified inside fields`);
    const type = item["type"];
    if (type === undefined) throw mappingFailure(`no type specified for property [${name}]`);
    const typeName = textOf(type);
    if (typeName === "object" || typeName === "nested" || typeName === "alias") {
      throw mappingFailure(`Type [${typeName}] cannot be used in multi field`);
    }
    fields.set(name, parseField(join(path, name), typeName, item, context));
  }
  return fields;
}

/** True if two values have the same JSON text. */
export function isSame(a: Json, b: Json): boolean {
  return a === b || jsonText(a) === jsonText(b);
}

/** Appends a name to a path. */
export function join(parent: string, leaf: string): string {
  return parent === "" ? leaf : `${parent}.${leaf}`;
}

/** The last part of a path. */
export function leafOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

function unsupported(what: string, json: JsonObject, keys: readonly string[]): OperationError {
  const list = keys.map((key) => ` [${key} : ${textOf(lookup(json, key))}]`).join("");
  return mappingFailure(`${what} has unsupported parameters: ${list}`);
}
