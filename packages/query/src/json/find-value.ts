/**
 * Finds a value in the bytes of a JSON text. Used for errors only, but the body may be large: bytes
 * before the value are skipped, not decoded.
 */
import { utf8Decode } from "@orrery/stdx";

/** The path of a value from the root: member names, and indices of arrays. */
export type JsonPath = readonly (string | number)[];

/** Offsets of a value. */
export interface FoundValue {
  /** The offset of the key, or of the item in an array. */
  readonly keyAt: number;
  readonly valueAt: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/** Finds the value at the path, or its deepest existing ancestor. */
export function findValue(bytes: Uint8Array, path: JsonPath): FoundValue {
  let valueAt = behindBlanks(bytes, 0);
  let found: FoundValue = { keyAt: valueAt, valueAt };
  for (const step of path) {
    const member = findMember(bytes, valueAt, step);
    if (member === undefined) break;
    found = member;
    ({ valueAt } = member);
  }
  return found;
}

function findMember(
  bytes: Uint8Array,
  start: number,
  step: string | number,
): FoundValue | undefined {
  if (!isOpening(bytes[start])) return undefined;
  const isObject = bytes[start] === OPEN;
  let at = behindBlanks(bytes, start + 1);
  for (let index = 0; at < bytes.length && !isClosing(bytes[at]); index += 1) {
    const keyAt = at;
    let name: string | number = index;
    if (isObject) {
      const keyEnd = endOfValue(bytes, at);
      name = keyOf(bytes.subarray(at, keyEnd), step);
      at = behindBlanks(bytes, behindBlanks(bytes, keyEnd) + 1);
    }
    if (name === step) return { keyAt, valueAt: at };
    at = behindBlanks(bytes, endOfValue(bytes, at));
    if (bytes[at] === COMMA) at = behindBlanks(bytes, at + 1);
  }
  return undefined;
}

/**
 * Decodes a key. One that is longer than any encoding of `step` cannot equal it and becomes empty.
 */
function keyOf(raw: Uint8Array, step: string | number): string {
  if (typeof step === "number" || raw.length > 2 + 6 * step.length) return "";
  const text = utf8Decode(raw);
  try {
    return JSON.parse(text) as string;
  } catch {
    // An invalid key cannot be the wanted one.
    return text;
  }
}

/** Returns the offset after the value that starts at `start`. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let depth = 0;
  for (let at = start; at < length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at += 1;
      while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      if (depth === 0) return Math.min(length, at + 1);
    } else if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) {
      depth -= 1;
      if (depth <= 0) return depth < 0 ? at : at + 1;
    } else if (depth === 0 && (byte === COMMA || byte === COLON || isBlank(byte))) return at;
  }
  return length;
}

/** Whether the byte is `{` or `[`, which differ in one bit. */
export function isOpening(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 32) === OPEN;
}

function isClosing(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 32) === CLOSE;
}

/** Returns the first offset that is not a blank. */
export function behindBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

const NEWLINE = 10;

/** Returns the line of an offset, from 1, and the offset at which the line starts. */
export function lineOf(bytes: Uint8Array, offset: number): { line: number; start: number } {
  let line = 1;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0 || newline >= offset) return { line, start };
    line += 1;
    start = newline + 1;
  }
}
