/**
 * Tuples of keys encoded as strings that sort as the tuples do, so that `multi_terms` shares the
 * counting, ordering and reducing of `terms`.
 */
import type { Key } from "./key-source.ts";

/** Steps of the budget for a combination of values of one document, and for its key. */
export const COMBINATION_STEPS = 100;

/** The bits of a double. */
const bytes = new DataView(new ArrayBuffer(8));

/**
 * Encodes keys as one text whose order is that of the tuples. Each key begins with a letter for its
 * type. A text ends with NUL, so that a prefix sorts first, and NUL within a text is escaped; a
 * number has 16 hexadecimal digits in the order of values.
 */
export function encodeTuple(keys: readonly Key[]): string {
  return keys.map(encodeKey).join("");
}

function encodeKey(key: Key): string {
  if (typeof key === "string") return `s${key.replaceAll(/[\0\u0001]/g, "\u0001$&")}\0`;
  if (typeof key === "bigint") return `i${hex(BigInt.asUintN(64, key + (1n << 63n)))}`;
  bytes.setFloat64(0, key);
  const bits = bytes.getBigUint64(0);
  // The order of doubles is that of their bits with the sign flipped, for negative ones with all
  // bits flipped.
  const ordered = bits >> 63n === 1n ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n);
  return `d${hex(ordered)}`;
}

function hex(bits: bigint): string {
  return bits.toString(16).padStart(16, "0");
}

/** The keys that `encodeTuple` has encoded. */
export function decodeTuple(text: string): Key[] {
  const keys: Key[] = [];
  let at = 0;
  while (at < text.length) {
    const kind = text[at];
    if (kind === "s") {
      let key = "";
      at += 1;
      while (at < text.length && text[at] !== "\0") {
        if (text[at] === "\u0001") at += 1;
        key += text[at] ?? "";
        at += 1;
      }
      at += 1;
      keys.push(key);
    } else {
      const bits = BigInt(`0x${text.slice(at + 1, at + 17)}`);
      keys.push(kind === "i" ? bits - (1n << 63n) : decodeDouble(bits));
      at += 17;
    }
  }
  return keys;
}

function decodeDouble(ordered: bigint): number {
  bytes.setBigUint64(
    0,
    ordered >> 63n === 1n ? ordered & ((1n << 63n) - 1n) : BigInt.asUintN(64, ~ordered),
  );
  return bytes.getFloat64(0);
}
