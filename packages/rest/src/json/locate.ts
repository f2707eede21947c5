/** Where in a JSON text a value stands, for messages. Used only when something is wrong with it. */
import { endOfValue, findValue, lineOf, type JsonPath } from "@orrery/query";

export type Path = JsonPath;

/** The key, the value's first character, or the bracket that ends it. */
export type Side = "key" | "value" | "end";

export interface Location {
  readonly line: number;
  /** In bytes. */
  readonly col: number;
}

/** Of the value at `path`; of its deepest ancestor that exists when it does not. */
export function locate(bytes: Uint8Array, path: Path, side: Side): Location {
  const { keyAt, valueAt } = findValue(bytes, path);
  const offset = side === "key" ? keyAt : side === "end" ? endOfValue(bytes, valueAt) - 1 : valueAt;
  const { line, start } = lineOf(bytes, offset);
  return { line, col: offset - start + 1 };
}

/** Of the first byte after the value. */
export function offsetAfter(bytes: Uint8Array, path: Path): number {
  return endOfValue(bytes, findValue(bytes, path).valueAt);
}

/** `[1:14]`, as parser messages begin. */
export function printed({ line, col }: Location): string {
  return `[${line}:${col}]`;
}
