/**
 * Finds the line and column of a value in a JSON text, for errors only.
 *
 * The product reports the location of its parser's current token: the start of a key or value, or a
 * closing bracket. Lines and columns count from 1, and columns are UTF-16 units.
 */
import { endOfValue, findValue, lineOf, type JsonPath } from "./find-value.ts";

/** Selects a token of the value at a path: its key, its start, or its end. */
export type TokenSide = "key" | "value" | "end";

/** A line and a column, from 1. */
export interface JsonPosition {
  readonly line: number;
  readonly col: number;
}

/** Returns the position of the value at `path`, or of its deepest existing ancestor. */
export function locate(bytes: Uint8Array, path: JsonPath, side: TokenSide): JsonPosition {
  const { keyAt, valueAt } = findValue(bytes, path);
  const offset = side === "key" ? keyAt : side === "end" ? endOfValue(bytes, valueAt) - 1 : valueAt;
  const { line, start } = lineOf(bytes, offset);
  return { line, col: characters(bytes, start, offset) + 1 };
}

/** Counts UTF-16 units: characters of four bytes count twice. */
function characters(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}
