/** Several keys as one string whose order is theirs, so that `multi_terms` can share all of `terms`. */
import type { Key } from "./key-source.ts";

/** Of a combination of values of one document, and of its key. */
export const COMBINATION_STEPS = 100;

const bytes = new DataView(new ArrayBuffer(8));

/** Strings end with NUL; NUL itself and what escapes it are escaped. Numbers are 16 digits in order of value. */
export function encodeTuple(keys: readonly Key[]): string {
  return keys.map(encodeKey).join("");
}

function encodeKey(key: Key): string {
  if (typeof key === "string") return `s${key.replaceAll(/[\0\u0001]/g, "\u0001$&")}\0`;
  if (typeof key === "bigint") return `i${hex(BigInt.asUintN(64, key + (1n << 63n)))}`;
  bytes.setFloat64(0, key);
  const bits = bytes.getBigUint64(0);
  // Negative numbers: all bits flipped; others: above them.
  const ordered = bits >> 63n === 1n ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n);
  return `d${hex(ordered)}`;
}

function hex(bits: bigint): string {
  return bits.toString(16).padStart(16, "0");
}

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
