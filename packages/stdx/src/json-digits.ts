/** JSON text of values with whole numbers beyond doubles (`bigint`), which `JSON.stringify` refuses. */
import type { Json, JsonObject } from "./problem.ts";

/**
 * JSON text of a value, with all digits of a `bigint`. The function recurses once per level; values are up to a
 * thousand levels deep.
 */
export function jsonDigits(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) parts.push(jsonDigits(item));
    return `[${parts.join(",")}]`;
  }
  for (const [key, item] of Object.entries(value as JsonObject))
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${jsonDigits(item)}`);
  return `{${parts.join(",")}}`;
}
