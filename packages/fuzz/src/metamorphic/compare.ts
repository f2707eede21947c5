/** First difference between two answers to one request that no rule explains. */
import { isJsonObject, setKey, type Json } from "@orrery/stdx";
import { maskOf, plainText } from "./rules.ts";
import type { Answer } from "./request.ts";

export interface Difference {
  /** Path of member names; positions in arrays are `*`. */
  readonly where: string;
  readonly one: string;
  readonly other: string;
}

/**
 * First difference between two answers that no rule permits. A path that ends in an element of `loose` may differ, too.
 */
export function firstDifference(
  one: Answer,
  other: Answer,
  loose: readonly string[] = [],
): Difference | undefined {
  if (one.status !== other.status)
    return {
      where: `status ${one.status} and ${other.status}`,
      one: one.text,
      other: other.text,
    };
  return differenceAt(comparable(one, loose), comparable(other, loose), []);
}

function comparable({ contentType, text }: Answer, loose: readonly string[]): unknown {
  if (!contentType.includes("json") || text === "") return { contentType, body: plainText(text) };
  return { contentType, body: plain(JSON.parse(text, digits) as Json, [], loose) };
}

function plain(value: Json | undefined, way: readonly string[], loose: readonly string[]): unknown {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return value.map((item) => plain(item, [...way, "*"], loose));
  if (!isJsonObject(value)) return value;
  const made: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const inner = [...way, name];
    const as = maskOf(inner, { value: item, holder: value, loose });
    setKey(made, plainText(name), as ?? plain(item, inner, loose));
  }
  return made;
}

/** JSON reviver that keeps the spelling of numbers: 1.0 differs from 1. */
function digits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? (context?.source ?? String(value)) : value;
}

function differenceAt(
  one: unknown,
  other: unknown,
  way: readonly string[],
): Difference | undefined {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return told(one, other, [...way, "length"]);
    for (const [i, item] of one.entries()) {
      const found = differenceAt(item, other[i], [...way, "*"]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isObject(one) && isObject(other)) {
    // The order of members counts.
    const [names, others] = [Object.keys(one), Object.keys(other)];
    const missing = names.find((name) => !Object.hasOwn(other, name));
    const added = others.find((name) => !Object.hasOwn(one, name));
    const name = missing ?? added;
    if (name !== undefined) return told(one, other, [...way, name]);
    for (const [key, item] of Object.entries(one)) {
      const found = differenceAt(item, new Map(Object.entries(other)).get(key), [...way, key]);
      if (found !== undefined) return found;
    }
    const isOrdered = names.every((key, i) => key === others[i]);
    return isOrdered ? undefined : told(names, others, [...way, "order"]);
  }
  return Object.is(one, other) ? undefined : told(one, other, way);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function told(one: unknown, other: unknown, way: readonly string[]): Difference {
  return { where: way.join("."), one: textOf(one), other: textOf(other) };
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "absent";
}
