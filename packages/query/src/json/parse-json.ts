/**
 * JSON bytes to values, exactly: integers beyond 2^53 become bigint, and duplicate keys are refused as Jackson does.
 *
 * The fast path is the engine's own parser; a scan over the bytes decides whether it is safe (no long digit runs) and
 * counts keys, so that a duplicate shows as a difference. The slow path is `exact-json.ts`.
 *
 * INV: what comes out is at most `MAX_NESTING` deep, so that what walks over it may recurse, and no number of it has more than
 * `MAX_DIGITS` digits, so that arithmetic with it is cheap. Source: `StreamReadConstraints`.
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

export interface JsonScan {
  /** Keys of all objects. */
  readonly keys: number;
  /** Some number may not fit a double exactly. */
  readonly hasLongNumber: boolean;
  readonly isTooDeep: boolean;
  /** Some number may be written with an exponent. */
  readonly hasExponent: boolean;
}

/** One pass over the bytes; the text need not be valid. */
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
      // `{` and `[`, `}` and `]` differ in one bit.
      else if ((byte | 32) === OPEN) {
        depth += 1;
        if (depth > deepest) deepest = depth;
      } else if ((byte | 32) === CLOSE) depth -= 1;
      // `e` or `E` behind a digit.
      if (digits > 0 && (byte | 32) === 101) hasExponent = true;
      if (byte !== 46) digits = 0;
    }
  }
  return { keys, hasLongNumber, isTooDeep: deepest > MAX_NESTING, hasExponent };
}

/** Throws `OperationError` with the parser's own type (`json_parse_exception` …) on bad JSON. */
export function parseJson(bytes: Uint8Array): Json {
  const text = utf8Decode(bytes);
  const scan = scanJson(bytes);
  if (!scan.hasLongNumber && !scan.isTooDeep && !needsExactText(text)) {
    const fast = tryFastParse(text);
    if (fast !== undefined && countKeys(fast.value) === scan.keys) return fast.value;
  }
  return toJson(readJson(text, bytes));
}

/** Whether the bytes may be no UTF-8, or an escape may be half of a character. */
export function needsExactText(text: string): boolean {
  return text.includes("\ufffd") || (text.includes("\\u") && /\\u[dD][89a-fA-F]/.test(text));
}

function tryFastParse(text: string): ParsedJson | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    // The slow reader says what is wrong, in Jackson's words.
    return undefined;
  }
}

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

/** Numbers as values: those that a double does not hold exactly as bigints. */
export function toJson(tree: JsonTree): Json {
  if (tree instanceof JsonLiteral) return tree.value;
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return (tree as readonly JsonTree[]).map(toJson);
  const object: Record<string, Json> = {};
  for (const [key, value] of Object.entries(tree)) setKey(object, key, toJson(value));
  return object;
}
