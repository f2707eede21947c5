/**
 * Generator of the TypeScript types for `buildScenario`, from the schema, which is made from the shapes. Descriptions
 * and defaults of properties become comments, which editors show.
 */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { Checkers } from "./checkers/compose.ts";
import { definitions, planSchema } from "./plan-shape.ts";

export function scenarioTypes(checkers: Checkers): string {
  const schema = planSchema(checkers);
  return [
    "/** Made by `npm run reference` from the tables that read a plan: a scenario in the words of its file. */",
    'import type { Json, JsonObject } from "@orrery/stdx";',
    "",
    "/** One alone may stand without the brackets. */",
    "export type OneOrMore<T> = T | readonly T[];",
    "",
    "export interface Scenario " + membersOf(schema, ""),
    "",
    ...definitions.flatMap(({ name, definition, type }) => [
      ...declared(nameOf(name), definition, type),
      "",
    ]),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

/** Interface of each kind of a union: compiler errors then name the kind. */
function declared(name: string, definition: JsonObject, type: string | undefined): string[] {
  const kinds = itemsOf(definition["anyOf"]).map((one) => ({ one, kind: kindOf(one) }));
  if (type !== undefined) return [`export type ${name} = ${type};`];
  if (kinds.length === 0 || kinds.some(({ kind }) => kind === undefined)) {
    if (definition["properties"] === undefined)
      return [`export type ${name} = ${typeOf(definition, "")};`];
    return [`export interface ${name} ${membersOf(definition, "")}`];
  }
  const named = kinds.map(({ one, kind = "" }) => ({ one, name: nameOf(kind) + name }));
  return [
    `export type ${name} =`,
    ...named.map((each, i) => `  | ${each.name}${i === named.length - 1 ? ";" : ""}`),
    ...named.flatMap((each) => [
      "",
      ...commentOf(each.one, ""),
      `export interface ${each.name} ${membersOf(each.one, "")}`,
    ]),
  ];
}

function kindOf(schema: JsonObject): string | undefined {
  const kind = propertiesOf(schema).find(([name]) => name === "kind")?.[1]["const"];
  return typeof kind === "string" ? kind : undefined;
}

function typeOf(schema: JsonObject, indent: string): string {
  const { $ref, const: constant, enum: names, anyOf, type } = schema as { [key: string]: Json };
  if (typeof $ref === "string") return nameOf($ref.slice($ref.lastIndexOf("/") + 1));
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(names)) return names.map((name) => JSON.stringify(name)).join(" | ");
  const [first, second, ...rest] = itemsOf(anyOf);
  if (first !== undefined && isListOf(second, first) && rest.length === 0)
    return `OneOrMore<${typeOf(first, indent)}>`;
  if (anyOf !== undefined)
    return itemsOf(anyOf)
      .map((one) => typeOf(one, indent))
      .join(" | ");
  if (Array.isArray(type))
    return type.map((one) => typeOf({ type: one as Json }, indent)).join(" | ");
  if (type === "array") return listType(schema, indent);
  if (type === "object") return objectType(schema, indent);
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "Json";
}

function isListOf(schema: JsonObject | undefined, item: JsonObject): boolean {
  return schema?.["type"] === "array" && JSON.stringify(schema["items"]) === JSON.stringify(item);
}

function listType({ items, minItems, maxItems }: JsonObject, indent: string): string {
  const item = typeOf(isJsonObject(items) ? items : {}, indent);
  if (typeof minItems === "number" && minItems === maxItems)
    return `readonly [${Array.from({ length: minItems }, () => item).join(", ")}]`;
  const isUnion = item.includes(" | ") && !item.startsWith("{");
  return `readonly ${isUnion ? `(${item})` : item}[]`;
}

function objectType(schema: JsonObject, indent: string): string {
  if (schema["properties"] !== undefined) return membersOf(schema, indent);
  const { additionalProperties: each } = schema;
  return isJsonObject(each) ? `{ readonly [name: string]: ${typeOf(each, indent)} }` : "JsonObject";
}

function membersOf(schema: JsonObject, indent: string): string {
  const inner = `${indent}  `;
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly Json[]) : [];
  const lines = propertiesOf(schema).flatMap(([name, one]) => [
    ...commentOf(name === "kind" ? schema : one, inner),
    `${inner}readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(one, inner)};`,
  ]);
  return ["{", ...lines, `${indent}}`].join("\n");
}

function commentOf({ description, default: otherwise }: JsonObject, indent: string): string[] {
  if (typeof description !== "string") return [];
  const sentence = description.replace(/^[a-z](?=[a-z]*(?:[ ,;:]|$))/, (letter) =>
    letter.toUpperCase(),
  );
  const isWorthSaying =
    otherwise !== undefined && !/^(""|\[\]|\{\})$/.test(JSON.stringify(otherwise));
  const end = isWorthSaying ? ` Default: \`${JSON.stringify(otherwise)}\`.` : "";
  const stop = /[.!?…]$/.test(sentence) ? "" : ".";
  return [`${indent}/** ${`${sentence}${stop}${end}`.replaceAll("*/", "*\\/")} */`];
}

function propertiesOf({ properties }: JsonObject): readonly [string, JsonObject][] {
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(
    ([name, one]): [string, JsonObject][] => (isJsonObject(one) ? [[name, one]] : []),
  );
}

function itemsOf(json: Json | undefined): readonly JsonObject[] {
  return Array.isArray(json) ? (json as readonly Json[]).filter((one) => isJsonObject(one)) : [];
}

/** `add-node` → `AddNode`. */
function nameOf(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
