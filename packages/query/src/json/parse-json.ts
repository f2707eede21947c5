/**
 * Parses JSON exactly: integers beyond 2^53 become bigints, and duplicate keys are rejected as in
 * Jackson.
 *
 * The fast path is the engine's own parser. A scan over the bytes decides whether it is safe, and
 * counts the keys to detect duplicates. The slow path is `exact-json.ts`.
 *
 * INV: values are at most `MAX_NESTING` deep, so recursion is safe, and numbers have at most
 * `MAX_DIGITS` digits, so arithmetic is cheap. Source: `StreamReadConstraints`.
 */
import { setKey, utf8Decode, type Json } from "@orrery/stdx";
import {
  BACKSLASH,
  JsonLiteral,
  MAX_NESTING,
  QUOTE,
  readJson,
  type JsonTree,
} from "./exact-json.ts";

export interface ParsedJson {
  readonly value: Json;
}

const COLON = 58;
const OPEN = 123;
const CLOSE = 125;

/** The result of `scanJson`. */
export interface JsonScan {
  /** The number of keys in all objects. */
  readonly keys: number;
  /** True if a number may not fit a double exactly. */
  readonly hasLongNumber: boolean;
  readonly isTooDeep: boolean;
  /** True if a number may have an exponent. */
  readonly hasExponent: boolean;
}

/** Looks in one pass for what `JSON.parse` would get wrong. The bytes need not be valid JSON. */
export function scanJson(bytes: Uint8Array): JsonScan {
  let keys = 0;
  let digits = 0;
  let hasLongNumber = false;
  let hasExponent = false;
  let depth = 0;
  let deepest = 0;
  const { length } = bytes;
  for (let i = 0; i < length; i += 1) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      digits = 0;
      i += 1;
      while (i < length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
    } else if (byte >= 48 && byte <= 57) {
      digits += 1;
      if (digits >= 16) hasLongNumber = true;
    } else {
      if (byte === COLON) keys += 1;
      // `{` and `[` differ in one bit, and so do `}` and `]`.
      else if ((byte | 32) === OPEN) {
        depth += 1;
        if (depth > deepest) deepest = depth;
      } else if ((byte | 32) === CLOSE) depth -= 1;
      // `e` or `E` after a digit.
      if (digits > 0 && (byte | 32) === 101) hasExponent = true;
      if (byte !== 46) digits = 0;
    }
  }
  return { keys, hasLongNumber, isTooDeep: deepest > MAX_NESTING, hasExponent };
}

/**
 * Parses JSON in UTF-8.
 * @throws OperationError 400 with the type of Jackson's error, such as `json_parse_exception`
 */
export function parseJson(bytes: Uint8Array): Json {
  const text = utf8Decode(bytes);
  const scan = scanJson(bytes);
  if (!scan.hasLongNumber && !scan.isTooDeep && !needsExactText(text)) {
    const fast = tryFastParse(text);
    if (fast !== undefined && countKeys(fast.value) === scan.keys) return fast.value;
  }
  return toJson(readJson(text, bytes));
}

/**
 * True if the decoded text may differ from what was sent: U+FFFD may stand for bytes that are not
 * UTF-8, and an escape of a surrogate may be a lone one.
 */
export function needsExactText(text: string): boolean {
  return text.includes("\ufffd") || (text.includes("\\u") && /\\u[dD][89a-fA-F]/.test(text));
}

function tryFastParse(text: string): ParsedJson | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    // The exact parser reports the error.
    return undefined;
  }
}

/** Counts the keys of all objects in a value. */
export function countKeys(value: Json | JsonTree | undefined): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly (Json | JsonTree)[]) keys += countKeys(item);
    return keys;
  }
  if (value instanceof JsonLiteral) return 0;
  const object = value as { readonly [key: string]: Json | JsonTree | undefined };
  for (const key in object) keys += 1 + countKeys(object[key]); // oxlint-disable-line orrery/client-keys -- one of its own keys, in the reader of every body
  return keys;
}

/** Converts literals to numbers: integers beyond 2^53 become bigints, other numbers doubles. */
export function toJson(tree: JsonTree): Json {
  if (tree instanceof JsonLiteral) return tree.value;
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return (tree as readonly JsonTree[]).map(toJson);
  const object: Record<string, Json> = {};
  for (const [key, value] of Object.entries(tree)) setKey(object, key, toJson(value));
  return object;
}
