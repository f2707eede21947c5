/**
 * Dynamic mapping: the mapping update for names that a document introduces, built as JSON while the
 * document is parsed. Source: `DocumentParser`, `RootObjectMapper`.
 */
import type { Growth } from "@orrery/analysis";
import {
  javaText,
  illegalArgument,
  isJsonObject,
  OperationError,
  setKey,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { JsonLiteral, type JsonTree } from "../json/exact-json.ts";
import type { ObjectNode } from "./compile.ts";
import { templateMapping, type DynamicTemplate, type MatchType } from "./dynamic-templates.ts";
import { join } from "./definition.ts";
import { checkDepth, checkParts, final, type DocumentRules } from "./document-rules.ts";

/** Formats in which strings are recognised as dates by default. */
export const DEFAULT_DYNAMIC_DATE_FORMATS: readonly string[] = [
  "strict_date_optional_time",
  "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis",
];

/** The update that one document causes. */
export interface DynamicUpdate {
  readonly rules: DocumentRules;
  readonly growth: Growth;
  readonly root: UpdateNode;
  /** The update as a mapping; `undefined`: nothing was introduced. */
  toJson(): JsonObject | undefined;
}

/** An object or field of the update. */
interface UpdateNode {
  readonly definition: Record<string, Json>;
  readonly properties: Map<string, UpdateNode>;
  /** The mapping has the object; it is repeated only as the place of new members. */
  readonly isKnown?: boolean;
  /** The `properties` of a template define it, so values of the document do not. */
  readonly isGiven?: boolean;
}

/** An empty update. `growth` counts the work of the document, matching of templates included. */
export function createDynamicUpdate(rules: DocumentRules, growth: Growth): DynamicUpdate {
  const root: UpdateNode = { definition: {}, properties: new Map() };
  return {
    rules,
    growth,
    root,
    toJson: () => printNode(root),
  };
}

/**
 * The JSON of a node; `undefined` for an object that was opened for a value that introduces
 * nothing, such as null.
 */
function printNode({ definition, properties, isKnown }: UpdateNode): JsonObject | undefined {
  const printed: Record<string, Json> = {};
  let isEmpty = true;
  for (const [name, child] of properties) {
    const json = printNode(child);
    if (json === undefined) continue;
    setKey(printed, name, json);
    isEmpty = false;
  }
  if (!isEmpty) return { ...definition, properties: printed };
  return isKnown === true || Object.keys(definition).length === 0 ? undefined : definition;
}

/**
 * Adds a name that is not mapped. `parts` lead to it from the mapped object `node`.
 * @throws OperationError 400 if the object does not allow new names, or the value contradicts an
 * earlier one
 */
export function introduce(
  update: DynamicUpdate,
  node: ObjectNode,
  parts: readonly string[],
  value: JsonTree,
): void {
  const { dynamic } = node;
  const [name = ""] = parts;
  if (dynamic === "strict") throw strict(name, node.path, "strict");
  const isTemplateOnly =
    dynamic === "strict_allow_templates" || dynamic === "false_allow_templates";
  const place = {
    update,
    target: openPath(update, node),
    path: node.path,
    isTemplateOnly,
    isStrict: dynamic.startsWith("strict"),
  };
  addPath(place, parts, value);
}

/** The object of the update at which names are added. */
interface Place {
  readonly update: DynamicUpdate;
  readonly target: UpdateNode;
  readonly path: string;
  readonly isTemplateOnly: boolean;
  readonly isStrict: boolean;
}

/** The error for a new name in a strict object. */
export function strict(name: string, parent: string, mode: string): OperationError {
  return new OperationError({
    type: "strict_dynamic_mapping_exception",
    reason: `mapping set to ${mode}, dynamic introduction of [${name}] within [${parent === "" ? "_doc" : parent}] is not allowed`,
    status: 400,
  });
}

/**
 * The update's node of a mapped object. Its kind is repeated, so that merging the update changes
 * nothing.
 */
function openPath(update: DynamicUpdate, node: ObjectNode): UpdateNode {
  let current = update.root;
  if (node.path === "") return current;
  let mapped: ObjectNode = update.rules.root;
  for (const part of node.path.split(".")) {
    const next = mapped.children.get(part);
    if (next?.kind !== "object") break;
    mapped = next;
    current = knownChildOf(current, part, mapped);
  }
  return current;
}

function knownChildOf(node: UpdateNode, name: string, { isNested }: ObjectNode): UpdateNode {
  const opened = node.properties.get(name);
  if (opened !== undefined) return opened;
  const child: UpdateNode = {
    definition: isNested ? { type: "nested" } : {},
    properties: new Map(),
    isKnown: true,
  };
  node.properties.set(name, child);
  return child;
}

function childOf(node: UpdateNode, name: string, definition: Record<string, Json>): UpdateNode {
  const known = node.properties.get(name);
  if (known !== undefined) return known;
  const child: UpdateNode = { definition, properties: new Map() };
  node.properties.set(name, child);
  return child;
}

/** Adds the objects of a dotted name, then its value. */
function addPath(place: Place, parts: readonly string[], value: JsonTree): void {
  const [name = "", ...rest] = parts;
  if (rest.length === 0) {
    addValue(place, name, value);
    return;
  }
  if (value === null) return;
  const target = openObject(place, name);
  if (target === undefined) return;
  const path = join(place.path, name);
  if (target.definition["type"] === "nested") throw nestedByDots(path);
  addPath({ ...place, target, path }, rest, value);
  sayKind(target);
}

/** Types an object without members, whose kind nothing else tells. */
function sayKind({ definition, properties }: UpdateNode): void {
  if (properties.size === 0 && definition["type"] === undefined) definition["type"] = "object";
  else if (properties.size > 0 && definition["type"] === "object") delete definition["type"];
}

function nestedByDots(path: string): OperationError {
  const reason = `It is forbidden to create dynamic nested objects ([${path}]) through \`copy_to\` or dots in field names`;
  return new OperationError({ type: "mapper_parsing_exception", reason, status: 400 });
}

/** Adds a value of any form; the items of arrays are values of one field. */
function addValue(place: Place, name: string, value: JsonTree, listDepth = 1): void {
  if (value === null) return;
  if (Array.isArray(value)) {
    checkDepth(place.update.rules, listDepth, "nested array field");
    for (const item of value as readonly JsonTree[]) addValue(place, name, item, listDepth + 1);
    return;
  }
  if (typeof value === "object" && !(value instanceof JsonLiteral)) {
    addObject(place, name, value as { readonly [key: string]: JsonTree });
    return;
  }
  addLeaf(place, name, value);
}

/**
 * The update's node of a new object; `undefined`: templates map the name to something that is no
 * object, or to nothing.
 */
function openObject(place: Place, name: string): UpdateNode | undefined {
  const path = join(place.path, name);
  const given = place.target.properties.get(name);
  if (given?.isGiven === true) return isObjectType(given.definition["type"]) ? given : undefined;
  const template = findTemplate(place, name, path, "object");
  if (template === undefined && place.isTemplateOnly) return refuse(place, name);
  const definition = template === undefined ? {} : templateMapping(template, name, "object");
  const { type, properties, ...others } = definition as Record<string, Json>;
  if (type !== undefined && type !== "object" && type !== "nested") return undefined;
  const node = childOf(place.target, name, type === "nested" ? { type, ...others } : { ...others });
  // Also an object without members yet has its type.
  if (!isObjectType(node.definition["type"]))
    throw final(
      illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`),
    );
  addGiven(node, properties);
  return node;
}

function isObjectType(type: Json | undefined): boolean {
  return type === undefined || type === "object" || type === "nested";
}

/** Adds the properties that a template gives to an object. */
function addGiven(node: UpdateNode, properties: Json | undefined): void {
  if (!isJsonObject(properties)) return;
  for (const [name, definition] of Object.entries(properties)) {
    if (!isJsonObject(definition) || node.properties.has(name)) continue;
    const { properties: inner, ...own } = definition as Record<string, Json>;
    const child: UpdateNode = { definition: own, properties: new Map(), isGiven: true };
    node.properties.set(name, child);
    addGiven(child, inner);
  }
}

function addObject(place: Place, name: string, object: { readonly [key: string]: JsonTree }): void {
  const node = openObject(place, name);
  if (node === undefined) return;
  const path = join(place.path, name);
  checkDepth(place.update.rules, path.split(".").length, "field");
  for (const [key, item] of Object.entries(object)) {
    checkName(key, path);
    const parts = key.split(".").filter((part) => part !== "");
    checkParts(parts);
    addPath({ ...place, target: node, path }, parts, item);
  }
  sayKind(node);
}

function checkName(key: string, path: string): void {
  if (key === "") throw illegalArgument("field name cannot be an empty string");
  if (key.trim() === "") {
    throw final(
      illegalArgument(`object field cannot contain only whitespace: ['${join(path, key)}']`),
    );
  }
}

/**
 * Adds a field with a plain value. A document whose values give two types to one field is rejected.
 */
function addLeaf(
  place: Place,
  name: string,
  value: string | number | bigint | boolean | JsonLiteral,
): void {
  if (place.target.properties.get(name)?.isGiven === true) return;
  const path = join(place.path, name);
  const definition = leafMapping(place, name, path, value);
  if (definition === undefined) return;
  const known = place.target.properties.get(name);
  if (known === undefined) {
    place.target.properties.set(name, {
      definition: { ...definition } as Record<string, Json>,
      properties: new Map(),
    });
    return;
  }
  const from = known.definition["type"];
  const to = definition["type"];
  if (from === undefined || from === "object" || from === "nested") {
    throw final(
      illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`),
    );
  }
  if (from !== to) {
    throw final(
      illegalArgument(
        `mapper [${path}] cannot be changed from type [${javaText(from)}] to [${javaText(to)}]`,
      ),
    );
  }
}

/** The mapping of a new field: that of the first template that matches, or the dynamic default. */
function leafMapping(
  place: Place,
  name: string,
  path: string,
  value: string | number | bigint | boolean | JsonLiteral,
): JsonObject | undefined {
  const guess = guessType(place.update.rules, value);
  const template = findTemplate(place, name, path, guess.matchType);
  if (template !== undefined) {
    const mapping = templateMapping(template, name, guess.dynamicType);
    const needsFormat =
      guess.format !== undefined && mapping["type"] === "date" && mapping["format"] === undefined;
    return needsFormat ? { ...mapping, ...guess.format } : mapping;
  }
  if (place.isTemplateOnly) return refuse(place, name);
  if (guess.dynamicType === "text") {
    return { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } };
  }
  return { type: guess.dynamicType === "double" ? "float" : guess.dynamicType, ...guess.format };
}

function refuse(place: Place, name: string): undefined {
  if (place.isStrict) throw strict(name, place.path, "strict_allow_templates");
  return undefined;
}

function findTemplate(
  place: Place,
  name: string,
  path: string,
  type: MatchType,
): DynamicTemplate | undefined {
  const { rules, growth } = place.update;
  return rules.templates.find((template) => {
    growth.characters(template.isRegex ? REGEX * (1 + path.length) : GLOB);
    return (
      (template.matchMappingType === undefined || template.matchMappingType === type) &&
      template.matches(name, path)
    );
  });
}

/**
 * Characters as which matching a template counts: steps of the automaton for each character of a
 * name, or a constant for a wildcard.
 */
const REGEX = 30;
const GLOB = 16;

/** The kind of a value. */
interface Guess {
  readonly matchType: MatchType;
  /** Replaces `{dynamic_type}` in templates, and is the type without a template. */
  readonly dynamicType: string;
  readonly format: JsonObject | undefined;
}

/**
 * The type that a value suggests: strings are dates or numbers if detection is on and their text
 * allows it.
 */
function guessType(
  rules: DocumentRules,
  value: string | number | bigint | boolean | JsonLiteral,
): Guess {
  if (typeof value === "boolean")
    return { matchType: "boolean", dynamicType: "boolean", format: undefined };
  if (typeof value !== "string") {
    const isInteger =
      value instanceof JsonLiteral ? value.isInteger : Number.isInteger(Number(value));
    return numberGuess(isInteger);
  }
  const isLong = /^[+-]?\d{1,19}$/.test(value);
  const isDouble =
    isLong ||
    /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?$/.test(value.trim()) ||
    /^[+-]?(?:NaN|Infinity)$/.test(value);
  if (isDouble && rules.numericDetection) return numberGuess(isLong);
  if (!isDouble && rules.dateDetection) {
    for (const format of rules.dateFormats) {
      if (format.parse(value).kind === "parsed") {
        return { matchType: "date", dynamicType: "date", format: formatParameters(format.pattern) };
      }
    }
  }
  return { matchType: "string", dynamicType: "text", format: undefined };
}

function numberGuess(isInteger: boolean): Guess {
  return isInteger
    ? { matchType: "long", dynamicType: "long", format: undefined }
    : { matchType: "double", dynamicType: "double", format: undefined };
}

function formatParameters(pattern: string): JsonObject | undefined {
  if (pattern === "strict_date_optional_time") return undefined;
  const [first = pattern] = pattern.split("||");
  return first === pattern ? { format: pattern } : { format: pattern, print_format: first };
}
