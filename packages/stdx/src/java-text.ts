/**
 * Java's text of a parsed JSON value (`AbstractMap.toString`, `AbstractCollection.toString`), which the product
 * prints where it expected a text: an object is `{a=1, b=[x, null]}`.
 */
import type { Json, JsonObject } from "./problem.ts";

/** A JSON value as Java's `toString` prints it: `[a, b]`, `{key=value}`; `undefined` prints as `null`. */
export function javaText(value: Json | undefined): string {
  if (typeof value !== "object" || value === null) return String(value ?? null);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(javaText).join(", ")}]`;
  const entries = Object.entries(value as JsonObject);
  return `{${entries.map(([key, item]) => `${key}=${javaText(item)}`).join(", ")}}`;
}

/**
 * Converts as `Number` does. An object or a list gives NaN: `Number` would call its `valueOf`, which a client may have
 * named.
 */
export function jsonNumber(value: unknown): number {
  return typeof value === "object" && value !== null ? Number.NaN : Number(value);
}
