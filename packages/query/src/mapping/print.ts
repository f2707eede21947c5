/**
 * Prints definitions as mapping JSON, in the product's order: properties sorted, defaults left out.
 */
import { compareText, lookup, setKey, type Json, type JsonObject } from "@orrery/stdx";
import type {
  Definition,
  FieldDefinition,
  ObjectDefinition,
  RootDefinition,
} from "./definition.ts";
import { printTemplate } from "./dynamic-templates.ts";

/** The normalised JSON of a mapping. */
export function printMapping(definition: RootDefinition): JsonObject {
  const json: Record<string, Json> = {};
  const { root } = definition;
  if (root.dynamic !== undefined) json["dynamic"] = root.dynamic;
  if (!root.enabled) json["enabled"] = false;
  for (const [name, value] of definition.metadata) {
    if (name === "_meta" || Object.keys(value).length > 0) setKey(json, name, value as Json);
  }
  if (definition.dynamicDateFormats !== undefined)
    json["dynamic_date_formats"] = definition.dynamicDateFormats;
  if (definition.dynamicTemplates !== undefined) {
    json["dynamic_templates"] = definition.dynamicTemplates.map(printTemplate);
  }
  if (definition.dateDetection !== undefined) json["date_detection"] = definition.dateDetection;
  if (definition.numericDetection !== undefined)
    json["numeric_detection"] = definition.numericDetection;
  if (root.properties.size > 0) json["properties"] = printProperties(root.properties);
  return json;
}

function printProperties(properties: ReadonlyMap<string, Definition>): JsonObject {
  const json: Record<string, Json> = {};
  for (const name of [...properties.keys()].toSorted(compareText)) {
    const definition = properties.get(name);
    if (definition !== undefined) setKey(json, name, printDefinition(definition));
  }
  return json;
}

function printDefinition(definition: Definition): JsonObject {
  if (definition.kind === "field") return printField(definition);
  if (definition.kind === "alias") return { type: "alias", path: definition.target };
  return printObject(definition);
}

function printObject(object: ObjectDefinition): JsonObject {
  const json: Record<string, Json> = {};
  if (object.isNested) json["type"] = "nested";
  else if (object.properties.size === 0) json["type"] = "object";
  if (object.includeInParent) json["include_in_parent"] = true;
  if (object.includeInRoot) json["include_in_root"] = true;
  if (object.dynamic !== undefined) json["dynamic"] = object.dynamic;
  if (!object.enabled) json["enabled"] = false;
  if (object.properties.size > 0) json["properties"] = printProperties(object.properties);
  return json;
}

/** The JSON of a field. */
export function printField(field: FieldDefinition): JsonObject {
  const json: Record<string, Json> = { type: field.type };
  const isFieldsFirst = field.fieldType.printsFieldsFirst === true;
  if (isFieldsFirst) printSatellites(field, json);
  for (const [key, parameter] of Object.entries(field.fieldType.parameters)) {
    const value = lookup(field.parameters, key);
    if (value !== undefined) setKey(json, key, value);
    else if (parameter.isAlwaysPrinted === true) setKey(json, key, parameter.fallback);
    else if (key === "analyzer" && field.parameters["search_analyzer"] !== undefined)
      setKey(json, key, "default");
  }
  if (!isFieldsFirst) printSatellites(field, json);
  return json;
}

/** Prints multi-fields and copies. */
function printSatellites(field: FieldDefinition, json: Record<string, Json>): void {
  if (field.fields.size > 0) {
    const fields: Record<string, Json> = {};
    for (const name of [...field.fields.keys()].toSorted(compareText)) {
      const inner = field.fields.get(name);
      if (inner !== undefined) setKey(fields, name, printField(inner));
    }
    json["fields"] = fields;
  }
  if (field.copyTo.length > 0) json["copy_to"] = field.copyTo;
}
