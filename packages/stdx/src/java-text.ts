/**
 * A JSON value as the product prints what its parser made of it, where a text was wanted and something else came: an object is
 * `{a=1, b=[x, null]}`. Source: `AbstractMap.toString`, `AbstractCollection.toString`.
 */
import type { Json, JsonObject } from "./problem.ts";

export function javaText(value: Json | undefined): string {
  if (typeof value !== "object" || value === null) return String(value ?? null);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(javaText).join(", ")}]`;
  const entries = Object.entries(value as JsonObject);
  return `{${entries.map(([key, item]) => `${key}=${javaText(item)}`).join(", ")}}`;
}

/** As `Number`; NaN of an object or a list, whose `valueOf` is the client's. */
export function jsonNumber(value: unknown): number {
  return typeof value === "object" && value !== null ? Number.NaN : Number(value);
}
