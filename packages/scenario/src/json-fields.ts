/** Fields of a plan given as JSON, without a text: a position is a path such as `faults[0].node`. */
import type { JsonObject } from "@orrery/stdx";
import {
  DEEPEST,
  deepSentence,
  refuse,
  type Field,
  type Fields,
  type FieldValue,
  type PlanPlace,
} from "./fields.ts";

/** Fields of a plan; `name` denotes the plan in errors. */
export function jsonFields(name: string, plan: JsonObject): Fields {
  return fieldsAt({ plan: name, path: "" }, plan, 0);
}

function fieldsAt(place: PlanPlace, object: object, depth: number): Fields {
  const entries = Object.entries(object).flatMap(([key, value]): [string, Field][] =>
    value === undefined ? [] : [[key, fieldAt(below(place, key), value, depth + 1)]],
  );
  return { place, values: new Map(entries) };
}

function fieldAt(place: PlanPlace, value: unknown, depth: number): Field {
  return { place, value: valueAt(place, value, depth) };
}

/** Value at a position. Code may pass values that are no JSON, whatever its types promise; they are rejected. */
function valueAt(place: PlanPlace, value: unknown, depth: number): FieldValue {
  if (depth > DEEPEST) throw refuse({ ...place, path: "" }, deepSentence);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value))
    return value.map((item: unknown, i) =>
      fieldAt({ ...place, path: `${place.path}[${i}]` }, item, depth + 1),
    );
  if (typeof value === "object" && isPlain(value)) return fieldsAt(place, value, depth);
  throw refuse(place, `a scenario holds JSON, not ${nameOf(value)}`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: unknown): string {
  if (typeof value === "object" && value !== null) return `a ${value.constructor.name}`;
  return typeof value === "number"
    ? `[${value}]`
    : typeof value === "undefined"
      ? "undefined"
      : `a ${typeof value}`;
}

function below({ plan, path }: PlanPlace, key: string): PlanPlace {
  const isName = /^[a-z_$][\w$]*$/i.test(key);
  if (!isName) return { plan, path: `${path}[${JSON.stringify(key)}]` };
  return { plan, path: path === "" ? key : `${path}.${key}` };
}
