/**
 * Schema of scenario files as editors read it: draft-07. A union of kinds becomes a condition for each kind, so that an
 * editor offers the keys of the kind that is written, and reports errors about that kind alone.
 */
import { isJsonObject, lookup, type Json, type JsonObject } from "@orrery/stdx";
import type { Checkers } from "./checkers/compose.ts";
import { planSchema } from "./plan-shape.ts";

export function publishedSchema(checkers: Checkers): JsonObject {
  const { $schema: _, $defs, ...plan } = planSchema(checkers);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:orrery:scenario",
    ...asDraft07(plan),
    definitions: mapValues($defs, asDraft07),
  };
}

/** The schema and those in it. In draft-07 a reference has no other members beside it. */
function asDraft07(schema: JsonObject): JsonObject {
  const { $ref, anyOf, ...others } = schema;
  const inner = mapMembers(others);
  if (typeof $ref === "string") {
    const reference = { $ref: $ref.replace("/$defs/", "/definitions/") };
    return Object.keys(inner).length === 0 ? reference : { ...inner, allOf: [reference] };
  }
  const members = schemasIn(anyOf);
  if (members.length === 0) return inner;
  const kinds = kindsOf(members) ?? actionsOf(members);
  return { ...inner, ...(kinds ?? { anyOf: members.map(asDraft07) }) };
}

/** Members that hold schemas are converted, all others are kept. */
function mapMembers(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === "properties") return [key, mapValues(value, asDraft07)];
      const isSchema = key === "items" || key === "additionalProperties";
      return [key, isSchema && isJsonObject(value) ? asDraft07(value) : value];
    }),
  );
}

function mapValues(given: Json | undefined, map: (schema: JsonObject) => JsonObject): JsonObject {
  if (!isJsonObject(given)) return {};
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, isJsonObject(value) ? map(value) : value]),
  );
}

/** Union of objects whose `kind` is a constant; `undefined` for any other union. */
function kindsOf(members: readonly JsonObject[]): JsonObject | undefined {
  const kinds = members.map((member) => constantOf(member, "kind"));
  if (!kinds.every((kind) => typeof kind === "string")) return undefined;
  const described = members.map(({ description = "" }, i) => ({ const: kinds[i], description }));
  return {
    type: "object",
    properties: { kind: { anyOf: described } },
    required: ["kind"],
    allOf: members.map((member, i) =>
      condition({ properties: { kind: { const: kinds[i] ?? null } }, required: ["kind"] }, member),
    ),
  };
}

/** Union of objects of which each requires one key of its own; `undefined` for any other union. */
function actionsOf(members: readonly JsonObject[]): JsonObject | undefined {
  const names = members.map(({ required }) =>
    Array.isArray(required) && required.length === 1 ? String(required[0]) : undefined,
  );
  if (new Set(names).size < members.length || names.includes(undefined)) return undefined;
  const properties = members.map((member) => mapValues(member["properties"], asDraft07));
  const [own = {}] = properties;
  const shared = Object.keys(own).filter((key) =>
    properties.every((each) => Object.hasOwn(each, key)),
  );
  const offered = [...shared.map((key) => [key, lookup(own, key)]), ...ownKeys(names, properties)];
  return {
    type: "object",
    properties: Object.fromEntries(offered) as JsonObject,
    anyOf: names.map((name) => ({ required: [name ?? ""] })),
    allOf: members.map((member, i) => condition({ required: [names[i] ?? ""] }, member)),
  };
}

function ownKeys(names: readonly (string | undefined)[], properties: readonly JsonObject[]) {
  return names.map((name = "", i) => [name, lookup(properties[i] ?? {}, name)]);
}

function condition(holds: JsonObject, schema: JsonObject): JsonObject {
  const { description: _, ...applied } = asDraft07(schema);
  // oxlint-disable-next-line unicorn/no-thenable -- The schema's keyword for what holds under the condition.
  return { if: holds, then: applied };
}

function constantOf({ properties }: JsonObject, key: string): Json | undefined {
  const property = isJsonObject(properties) ? lookup(properties, key) : undefined;
  return isJsonObject(property) ? property["const"] : undefined;
}

function schemasIn(json: Json | undefined): readonly JsonObject[] {
  return Array.isArray(json) ? (json as readonly Json[]).filter((one) => isJsonObject(one)) : [];
}
