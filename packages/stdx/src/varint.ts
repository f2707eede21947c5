/** A growing byte writer and its reader: varints (unsigned LEB128, exact up to 2^53), texts, byte arrays. */
import { AssertionError } from "./assert.ts";
import { utf8Decode, utf8EncodeInto } from "./bytes.ts";

export interface ByteWriter {
  byte(value: number): void;
  /** A safe integer, not negative. */
  varint(value: number): void;
  /** Length in bytes, then UTF-8. */
  text(value: string): void;
  /** Length, then the bytes. */
  block(value: Uint8Array): void;
  /** The bytes alone. */
  raw(value: Uint8Array): void;
  /** A copy of everything that was written. */
  finish(): Uint8Array<ArrayBuffer>;
}

/** A writer over a buffer of `initialBytes`, which doubles when it is full. */
export function createByteWriter(initialBytes = 64): ByteWriter {
  return new Writer(initialBytes);
}

/**
 * A class, like the reader: frames are written and read by the thousand, and one closure per method costs more than
 * the work.
 */
class Writer implements ByteWriter {
  private buffer: Uint8Array<ArrayBuffer>;
  private at = 0;

  constructor(initialBytes: number) {
    this.buffer = new Uint8Array(initialBytes);
  }

  byte(value: number): void {
    this.room(1);
    this.buffer[this.at] = value;
    this.at += 1;
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  raw(value: Uint8Array): void {
    this.room(value.length);
    this.buffer.set(value, this.at);
    this.at += value.length;
  }

  text(value: string): void {
    this.room(value.length * 3 + 5);
    const { buffer, at } = this;
    if (value.length < SHORT && putAscii(value, buffer, at)) {
      this.at += value.length + 1;
      return;
    }
    const start = at + 5;
    const length = utf8EncodeInto(value, buffer.subarray(start));
    this.varint(length);
    buffer.copyWithin(this.at, start, start + length);
    this.at += length;
  }

  block(value: Uint8Array): void {
    this.varint(value.length);
    this.raw(value);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(0, this.at);
  }

  private room(bytes: number): void {
    const { buffer, at } = this;
    if (at + bytes <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, at + bytes));
    larger.set(buffer.subarray(0, at));
    this.buffer = larger;
  }
}

/** Texts whose length is one byte, and for which the encoder's own overhead is most of the work. */
const SHORT = 64;

/** Writes length and characters; `false`: a character is not ASCII. */
function putAscii(value: string, target: Uint8Array, at: number): boolean {
  target[at] = value.length;
  for (let i = 0; i < value.length; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit > 127) return false;
    target[at + 1 + i] = unit;
  }
  return true;
}

/**
 * Reads values in order.
 * @throws AssertionError A read past the end; callers that read foreign bytes turn it into their own error.
 */
export interface ByteReader {
  byte(): number;
  varint(): number;
  text(): string;
  /** A view, not a copy. */
  block(): Uint8Array;
  /** A view of the remaining bytes. */
  rest(): Uint8Array;
  readonly offset: number;
}

export function createByteReader(bytes: Uint8Array, offset = 0): ByteReader {
  return new Reader(bytes, offset);
}

class Reader implements ByteReader {
  offset: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, offset: number) {
    this.bytes = bytes;
    this.offset = offset;
  }

  byte(): number {
    const value = this.bytes[this.offset];
    if (value === undefined) throw new AssertionError(`read past the end, at ${this.offset}`);
    this.offset += 1;
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = this.byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
      scale *= 128;
    }
  }

  text(): string {
    return utf8Decode(this.block());
  }

  block(): Uint8Array {
    const start = this.skip();
    return this.bytes.subarray(start, this.offset);
  }

  rest(): Uint8Array {
    return this.bytes.subarray(this.offset);
  }

  /** Skips a block; returns where its bytes begin. */
  private skip(): number {
    const length = this.varint();
    const start = this.offset;
    if (start + length > this.bytes.length)
      throw new AssertionError(`read past the end, at ${start}`);
    this.offset = start + length;
    return start;
  }
}
