/**
 * Byte arrays: UTF-8, comparison, base64, and short arrays that share memory. The two web globals that are declared
 * here exist in every world.
 */

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const emptyBytes: Uint8Array = new Uint8Array(0);

/** Encodes a text in UTF-8; unpaired surrogates become U+FFFD. */
export function utf8Encode(text: string): Uint8Array<ArrayBuffer> {
  return (text.length <= SHORT ? encodeAscii(text) : undefined) ?? encoder.encode(text);
}

/** Length up to which the encoder's own overhead is most of the work. */
const SHORT = 48;

/** `undefined`: a character is not ASCII. */
function encodeAscii(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return undefined;
    bytes[i] = unit;
  }
  return bytes;
}

/** Writes `text` at the start of `target`, which holds 3 bytes per UTF-16 unit. Returns the number of bytes written. */
export function utf8EncodeInto(text: string, target: Uint8Array): number {
  return encoder.encodeInto(text, target).written;
}

/**
 * Decodes UTF-8; malformed sequences become U+FFFD. Bytes in shared memory are copied first, because decoders refuse
 * shared memory.
 */
export function utf8Decode(bytes: Uint8Array): string {
  return decoder.decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
}

/**
 * Zeroed bytes for small values that live shortly: a view of a buffer that many such values share. A buffer for each
 * value would cost an allocation outside of the heap, and work of the garbage collector.
 */
export function shortBytes(length: number): Uint8Array<ArrayBuffer> {
  if (length > MAX_SHORT_BYTES) return new Uint8Array(length);
  const start = room(length);
  slabEnd += length;
  return slab.subarray(start, slabEnd);
}

/** The start of `length` unused bytes of the slab; a new slab if this one has too few. */
function room(length: number): number {
  if (slabEnd + length > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES);
    slabEnd = 0;
  }
  return slabEnd;
}

/**
 * Writes the UTF-8 of a text into `target` from `start` on, where 3 bytes per UTF-16 unit must be free. Returns the
 * position after the last byte.
 */
export function putText(text: string, target: Uint8Array, start: number): number {
  // The view that the encoder needs costs more than the work on a short text.
  if (text.length <= SHORT_INTO && putAscii(text, target, start)) return start + text.length;
  return start + encoder.encodeInto(text, target.subarray(start)).written;
}

const SHORT_INTO = 128;

/** `false`: a character is not ASCII. */
function putAscii(text: string, target: Uint8Array, start: number): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return false;
    target[start + i] = unit;
  }
  return true;
}

const SLAB_BYTES = 8192;
const MAX_SHORT_BYTES = 1024;
let slab = new Uint8Array(0);
let slabEnd = SLAB_BYTES;

/** Copies bytes into a buffer that short-lived values share (`shortBytes`). */
export function shortCopy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = shortBytes(bytes.length);
  copy.set(bytes);
  return copy;
}

/** Joins parts, texts as UTF-8, in a buffer that short-lived values share (`shortBytes`). */
export function shortJoin(parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  let most = 0;
  for (const part of parts) most += typeof part === "string" ? 3 * part.length : part.length;
  if (most > MAX_SHORT_BYTES)
    return concatBytes(parts.map((part) => (typeof part === "string" ? utf8Encode(part) : part)));
  const start = room(most);
  let at = start;
  for (const part of parts) {
    if (typeof part === "string") at = putText(part, slab, at);
    else {
      slab.set(part, at);
      at += part.length;
    }
  }
  slabEnd = at;
  return slab.subarray(start, at);
}

/** Encodes a text in UTF-8, in a buffer that short-lived values share (`shortBytes`). */
export function shortText(text: string): Uint8Array<ArrayBuffer> {
  const most = 3 * text.length;
  if (text.length <= SHORT || most > MAX_SHORT_BYTES) return utf8Encode(text);
  const start = room(most);
  slabEnd = putText(text, slab, start);
  return slab.subarray(start, slabEnd);
}

/** Joins the parts, in order, in a new array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Compares bytes in unsigned lexicographic order, the order of terms in an index; negative if `a` comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Map([...ALPHABET].map((char, value) => [char, value]));

/** Encodes bytes in URL-safe base64 without padding. */
export function bytesToBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const chunk = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const digits = Math.min(4, bytes.length - i + 1);
    for (let digit = 0; digit < digits; digit += 1) {
      text += ALPHABET.charAt((chunk >> (18 - 6 * digit)) & 63);
    }
  }
  return text;
}

/**
 * Decodes base64 in the standard or the URL-safe alphabet, with or without padding. `undefined`: a character is in
 * neither alphabet.
 */
export function base64ToBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  const clean = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const bytes = new Uint8Array(Math.floor((clean.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const char of clean) {
    const value = VALUES.get(char);
    if (value === undefined) return undefined;
    bits = (bits << 6) | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at] = (bits >> held) & 255;
    at += 1;
  }
  return bytes;
}

/** A browser page has shared memory only when it is isolated from other pages. */
const hasSharedMemory = "SharedArrayBuffer" in globalThis;

/**
 * Zeroed bytes that threads can share. On a machine without shared memory the bytes are ordinary ones, since it has one
 * thread.
 */
export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(hasSharedMemory ? new SharedArrayBuffer(length) : new ArrayBuffer(length));
}

/** Whether the bytes are in shared memory; always true on a machine without shared memory. */
export function areShared({ buffer }: Uint8Array): boolean {
  return !hasSharedMemory || buffer instanceof SharedArrayBuffer;
}
