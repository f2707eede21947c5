/**
 * Where in a JSON text a value stands: line and column for error messages. Used only once something is wrong.
 *
 * The product reports the location of its parser's current token: the start of a value or key, or the place of a closing
 * brace. Lines and columns count from 1; columns are characters.
 */
import { endOfValue, findValue, lineOf, type JsonPath } from "./find-value.ts";

/** Which token of the value at a path is meant. `after-key`: the token that follows the key, that is the value's start. */
export type TokenSide = "key" | "value" | "end";

export interface JsonPosition {
  readonly line: number;
  readonly col: number;
}

/** Position of the value at `path`; of the deepest existing ancestor when the path leads nowhere. */
export function locate(bytes: Uint8Array, path: JsonPath, side: TokenSide): JsonPosition {
  const { keyAt, valueAt } = findValue(bytes, path);
  const offset = side === "key" ? keyAt : side === "end" ? endOfValue(bytes, valueAt) - 1 : valueAt;
  const { line, start } = lineOf(bytes, offset);
  return { line, col: characters(bytes, start, offset) + 1 };
}

/** As the language counts them: those of four bytes are two. */
function characters(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}
