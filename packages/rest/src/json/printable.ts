/**
 * Values that answers are made of: JSON, exact integers, Java's doubles, and text that is JSON already.
 *
 * A raw part is inlined byte for byte in compact output, so a stored `_source` is never parsed; it is only scanned when the
 * answer is filtered, indented or turned into YAML.
 */
import { double, RawJson, type PrintedJson } from "@orrery/query";

export type Raw = RawJson;

export type Printable = PrintedJson;

export type PrintableObject = { readonly [key: string]: Printable | undefined };

/** JSON text, as a string or in UTF-8. */
export function raw(json: string | Uint8Array): Raw {
  return new RawJson(json);
}

/** Prints as `Double.toString` does: `1.0`, `1.0E10`. */
export function javaDouble(value: number): Raw {
  return double(value);
}

export function isRaw(value: Printable): value is Raw {
  return value instanceof RawJson;
}

export function rawContent(value: Raw): string | Uint8Array {
  return value.rawJson;
}
