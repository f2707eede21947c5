/** Growing byte writer and its reader: varints (unsigned LEB128, exact to 2^53), strings, byte arrays. */
import { AssertionError } from "./assert.ts";
import { utf8Decode, utf8EncodeInto } from "./bytes.ts";

export interface ByteWriter {
  byte(value: number): void;
  /** A safe integer, not negative. */
  varint(value: number): void;
  /** Length, then UTF-8. */
  text(value: string): void;
  /** Length, then the bytes. */
  block(value: Uint8Array): void;
  /** The bytes alone. */
  raw(value: Uint8Array): void;
  /** A copy of all that was written. */
  finish(): Uint8Array<ArrayBuffer>;
}

export function createByteWriter(initialBytes = 64): ByteWriter {
  let buffer = new Uint8Array(initialBytes);
  let at = 0;
  const room = (bytes: number): void => {
    if (at + bytes <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, at + bytes));
    larger.set(buffer.subarray(0, at));
    buffer = larger;
  };
  const byte = (value: number): void => {
    room(1);
    buffer[at] = value;
    at += 1;
  };
  const varint = (value: number): void => {
    let rest = value;
    while (rest >= 128) {
      byte((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    byte(rest);
  };
  const raw = (value: Uint8Array): void => {
    room(value.length);
    buffer.set(value, at);
    at += value.length;
  };
  return {
    byte,
    varint,
    raw,
    text: (value) => {
      room(value.length * 3 + 5);
      if (value.length < SHORT && putAscii(value, buffer, at)) {
        at += value.length + 1;
        return;
      }
      const start = at + 5;
      const length = utf8EncodeInto(value, buffer.subarray(start));
      varint(length);
      buffer.copyWithin(at, start, start + length);
      at += length;
    },
    block: (value) => {
      varint(value.length);
      raw(value);
    },
    finish: () => buffer.slice(0, at),
  };
}

/** So short that its length is one byte, and that the encoder's own costs are most of the work. */
const SHORT = 64;

/** Length and characters; false when one of them is not ASCII. */
function putAscii(value: string, target: Uint8Array, at: number): boolean {
  target[at] = value.length;
  for (let i = 0; i < value.length; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit > 127) return false;
    target[at + 1 + i] = unit;
  }
  return true;
}

/** Each read throws `AssertionError` past the end: a caller that reads foreign bytes turns that into its own error. */
export interface ByteReader {
  byte(): number;
  varint(): number;
  text(): string;
  /** A view, not a copy. */
  block(): Uint8Array;
  /** A view of all that is left. */
  rest(): Uint8Array;
  readonly offset: number;
}

export function createByteReader(bytes: Uint8Array, offset = 0): ByteReader {
  let at = offset;
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new AssertionError(`read past the end, at ${at}`);
    at += 1;
    return value;
  };
  const varint = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
      scale *= 128;
    }
  };
  const block = (): Uint8Array => {
    const length = varint();
    if (at + length > bytes.length) throw new AssertionError(`read past the end, at ${at}`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    byte,
    varint,
    block,
    text: () => utf8Decode(block()),
    rest: () => bytes.subarray(at),
    get offset() {
      return at;
    },
  };
}
