/** JSON text of a value that may hold whole numbers beyond every double: they are printed as digits, which `JSON.stringify` refuses. */
import type { Json, JsonObject } from "./problem.ts";

export function jsonDigits(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(jsonDigits).join(",")}]`;
  const entries = Object.entries(value as JsonObject).flatMap(([key, item]) =>
    item === undefined ? [] : [`${JSON.stringify(key)}:${jsonDigits(item)}`],
  );
  return `{${entries.join(",")}}`;
}
