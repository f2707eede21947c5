/** A plan in its written form as fields: nobody typed it, so every place is the start of what it is called. */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { Field, Fields, FieldValue, Place } from "./fields.ts";

export function jsonFields(file: string, plan: JsonObject): Fields {
  return fieldsAt({ file, line: 1, column: 1 }, plan);
}

function fieldsAt(place: Place, object: JsonObject): Fields {
  const entries = Object.entries(object).flatMap(([key, value]): [string, Field][] =>
    value === undefined ? [] : [[key, { place, value: valueAt(place, value) }]],
  );
  return { place, values: new Map(entries) };
}

function valueAt(place: Place, value: Json): FieldValue {
  if (isJsonObject(value)) return fieldsAt(place, value);
  if (!Array.isArray(value)) return value as string | number | boolean | null;
  return (value as readonly Json[]).map((item) => ({ place, value: valueAt(place, item) }));
}
