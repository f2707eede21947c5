/** Positions of values in a JSON text, for error messages. Scans the text anew, since it runs only after an error. */
import { endOfValue, findValue, lineOf, type JsonPath } from "@orrery/query";

/** Path to a value: keys of objects and indices of arrays. */
export type Path = JsonPath;

/** The position within the member: its key, the first character of its value, or the bracket that closes the value. */
export type Side = "key" | "value" | "end";

/** A position in a text, counted from line 1 and column 1. */
export interface Location {
  readonly line: number;
  /** Column in bytes, from 1. */
  readonly col: number;
}

/** Position of the value at `path`, or of its deepest existing ancestor. */
export function locate(bytes: Uint8Array, path: Path, side: Side): Location {
  const { keyAt, valueAt } = findValue(bytes, path);
  const offset = side === "key" ? keyAt : side === "end" ? endOfValue(bytes, valueAt) - 1 : valueAt;
  const { line, start } = lineOf(bytes, offset);
  return { line, col: offset - start + 1 };
}

/** Offset of the first byte after the value. */
export function offsetAfter(bytes: Uint8Array, path: Path): number {
  return endOfValue(bytes, findValue(bytes, path).valueAt);
}

/** A position as parser messages print it: `[1:14]`. */
export function printed({ line, col }: Location): string {
  return `[${line}:${col}]`;
}
