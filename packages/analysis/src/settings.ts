/**
 * Readers for the settings of one part. Settings are JSON values or, after flattening, strings (`"2"`, `"true"`,
 * `"a,b"`), so every reader accepts both. Invalid values throw OpenSearch's errors.
 */
import { illegalArgument, javaText, lookup, OperationError } from "@orrery/stdx";
import type { SettingValue } from "./types.ts";

/** Settings of one part, or an object of such settings. */
export type Definition = { readonly [key: string]: SettingValue };

/** Reads a text, or another scalar as text; `undefined` when the key is absent, null, or has a list or an object. */
export function readText(definition: Definition, key: string): string | undefined {
  const value = lookup(definition, key);
  if (value === undefined || value === null || typeof value === "object") return undefined;
  return String(value);
}

/** An integer or the text of one; the fallback when absent. */
export function readInteger(definition: Definition, key: string, fallback: number): number {
  const text = readText(definition, key);
  if (text === undefined) return fallback;
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new OperationError({
    type: "settings_exception",
    reason: `Failed to parse int setting [${key}] with value [${text}]`,
    status: 400,
    causedBy: {
      type: "number_format_exception",
      reason: `For input string: "${text}"`,
      status: 400,
    },
  });
}

/** A boolean or the text of one; the fallback when absent. */
export function readBoolean(definition: Definition, key: string, fallback: boolean): boolean {
  const text = readText(definition, key);
  if (text === undefined) return fallback;
  if (text === "true") return true;
  if (text === "false") return false;
  throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
}

/** Refuses a setting that names a file: a node here has no folder of analysis files. */
export function refuseFile(definition: Definition, key: string, as: string = key): void {
  if (readText(definition, key) === undefined) return;
  throw illegalArgument(`IOException while reading ${as}: file not readable`);
}

/**
 * Reads a list of texts, or a comma-separated text, whose parts are trimmed; `undefined` when the key is absent or
 * null.
 */
export function readList(definition: Definition, key: string): readonly string[] | undefined {
  const value = lookup(definition, key);
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map((item) => javaText(item));
  if (typeof value === "object") return Object.values(value).map((item) => javaText(item));
  return String(value)
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Reads the object under a key; an empty one when the key is absent or has another value. */
export function readObject(definition: Definition, key: string): Definition {
  const value = lookup(definition, key);
  return isDefinition(value) ? value : {};
}

/** Whether a setting is an object. */
export function isDefinition(value: SettingValue | undefined): value is Definition {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
