/**
 * Values of response bodies: JSON, exact integers, Java doubles, and texts that are JSON already.
 *
 * Compact output copies a raw part byte for byte, so a stored `_source` is never parsed. A raw part is scanned only
 * when the response is filtered, indented or converted to YAML.
 */
import { double, RawJson, type PrintedJson } from "@orrery/query";

/** JSON text that is printed unchanged. */
export type Raw = RawJson;

/** A value of a response body. */
export type Printable = PrintedJson;

/** An object of a response body; members with the value `undefined` are not printed. */
export type PrintableObject = { readonly [key: string]: Printable | undefined };

/** A raw part: JSON text as a string or in UTF-8. It must be valid JSON. */
export function raw(json: string | Uint8Array): Raw {
  return new RawJson(json);
}

/** A number in the format of Java's `Double.toString`: `1.0`, `1.0E10`. */
export function javaDouble(value: number): Raw {
  return double(value);
}

export function isRaw(value: Printable): value is Raw {
  return value instanceof RawJson;
}

/** The text of a raw part, as it was given. */
export function rawContent(value: Raw): string | Uint8Array {
  return value.rawJson;
}
