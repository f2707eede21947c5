/**
 * Values that answers are made of: JSON, exact integers, Java's doubles, and text that is JSON already.
 *
 * A raw part is inlined byte for byte in compact output, so a stored `_source` is never parsed; it is only scanned when the
 * answer is filtered, indented or turned into YAML.
 */
import { double } from "@orrery/query";

const rawJson: unique symbol = Symbol("raw JSON");

export interface Raw {
  readonly [rawJson]: string | Uint8Array;
}

export type Printable =
  | null
  | boolean
  | number
  | bigint
  | string
  | Raw
  | readonly Printable[]
  | { readonly [key: string]: Printable | undefined };

export type PrintableObject = { readonly [key: string]: Printable | undefined };

/** JSON text, as a string or in UTF-8. */
export function raw(json: string | Uint8Array): Raw {
  return { [rawJson]: json };
}

/** Prints as `Double.toString` does: `1.0`, `1.0E10`. */
export function javaDouble(value: number): Raw {
  return raw(double(value).rawJson);
}

export function isRaw(value: Printable): value is Raw {
  // oxlint-disable-next-line orrery/client-keys -- a symbol, which no JSON has
  return typeof value === "object" && value !== null && rawJson in value;
}

export function rawContent(value: Raw): string | Uint8Array {
  return value[rawJson];
}
