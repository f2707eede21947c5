/** JSON Schema of `orrery.yml` for editors (draft-07), from the table of options and the node settings of the product. */
import type { Json, JsonObject } from "@orrery/stdx";
import { product } from "../product.ts";
import { readOption } from "./given-value.ts";
import { upOptionNames, upOptions, type Form, type UpOptionName } from "./up-options.ts";

const settingValue: JsonObject = { $ref: "#/definitions/setting" };

export function settingsSchema(): JsonObject {
  const options = upOptionNames.map((name) => [name, optionSchema(name)] as const);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:orrery:settings",
    title: "Settings of orrery up",
    type: "object",
    properties: {
      ...Object.fromEntries(options),
      settings: {
        description: "node settings of the product, nested or with dots",
        type: "object",
        allOf: [{ $ref: "#/definitions/known" }],
        additionalProperties: { $ref: "#/definitions/settings" },
      },
    },
    allOf: [{ $ref: "#/definitions/known" }],
    patternProperties: { "\\.": settingValue },
    additionalProperties: { $ref: "#/definitions/group" },
    definitions: {
      known: knownSettings(),
      setting: {
        description: "node setting of the product",
        anyOf: [scalar, { type: "array", items: scalar }],
      },
      group: {
        description: "node settings below this name",
        type: "object",
        additionalProperties: { $ref: "#/definitions/settings" },
      },
      settings: { anyOf: [settingValue, { $ref: "#/definitions/group" }] },
    },
  };
}

const scalar: JsonObject = { type: ["string", "number", "boolean"] };

/** Names of the settings that a node knows, for completion. */
function knownSettings(): JsonObject {
  const { cluster, nodeOnly } = product.rules.settings;
  const names = [...cluster.byKey.keys(), ...nodeOnly.byKey.keys()].toSorted();
  return { properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

function optionSchema(name: UpOptionName): JsonObject {
  const { says, form, otherwise } = upOptions[name];
  const from = "default";
  const value: Json =
    otherwise === undefined
      ? null
      : ([readOption({ value: otherwise, label: name, where: "", from }, form)].flat()[0] ?? null);
  const own = { description: says, ...(value === null ? {} : { default: value }) };
  // `transport` is also a group of the product's settings.
  if (name !== "transport") return { ...own, ...formSchema(form) };
  return { ...own, anyOf: [formSchema(form), { $ref: "#/definitions/group" }] };
}

function formSchema(form: Form): JsonObject {
  switch (form.kind) {
    case "integer":
      return { type: "integer", minimum: form.low, maximum: form.high };
    case "name":
      return { enum: [...form.names] };
    case "list":
      return { anyOf: [scalar, { type: "array", items: scalar }] };
    case "folder":
      return { type: "string", minLength: 1 };
  }
}
