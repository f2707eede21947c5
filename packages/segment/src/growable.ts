/**
 * Growable typed arrays with doubling capacity, the buffers of the writer. Hot loops read `items` (or `bytes`)
 * directly and must fetch it again after every push, because growing replaces the array.
 */

/** A growable Int32Array; `items` beyond `length` is undefined content. */
export class IntList {
  items: Int32Array;
  length = 0;

  constructor(capacity = 16) {
    this.items = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.items.length) this.reserve(this.length + 1);
    this.items[this.length] = value;
    this.length += 1;
  }

  /** Makes room for `total` items without changing `length`. */
  reserve(total: number): void {
    if (total <= this.items.length) return;
    const larger = new Int32Array(Math.max(total, this.items.length * 2));
    larger.set(this.items.subarray(0, this.length));
    this.items = larger;
  }

  /** A view of the pushed items. It does not follow later growth. */
  view(): Int32Array {
    return this.items.subarray(0, this.length);
  }
}

/** A growable Float64Array. */
export class DoubleList {
  items: Float64Array;
  length = 0;

  constructor(capacity = 16) {
    this.items = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.items.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length] = value;
    this.length += 1;
  }

  view(): Float64Array {
    return this.items.subarray(0, this.length);
  }
}

/**
 * Growable bytes with aligned 16- and 32-bit views over the same memory, for data that readers access through typed
 * arrays. All offsets and lengths are in bytes.
 */
export class ByteList {
  bytes: Uint8Array<ArrayBuffer>;
  shorts: Uint16Array<ArrayBuffer>;
  words: Uint32Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 64) {
    const buffer = new ArrayBuffer((capacity + 3) & ~3);
    this.bytes = new Uint8Array(buffer);
    this.shorts = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
  }

  /** Makes room for `count` more bytes; replaces `bytes`, `shorts` and `words` when it grows. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const buffer = new ArrayBuffer((Math.max(needed, this.bytes.length * 2) + 3) & ~3);
    const larger = new Uint8Array(buffer);
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.shorts = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
  }

  /** Pads with zero bytes to a multiple of `size`. Must precede `word`, or a write through `shorts` or `words`. */
  align(size: 2 | 4): void {
    const aligned = (this.length + size - 1) & -size;
    this.reserve(aligned - this.length);
    this.bytes.fill(0, this.length, aligned);
    this.length = aligned;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length] = value;
    this.length += 1;
  }

  /** Appends an unsigned LEB128 of a non-negative integer below 2^32. */
  varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** Appends a little-endian word. The length must be a multiple of 4. */
  word(value: number): void {
    this.reserve(4);
    this.words[this.length >>> 2] = value;
    this.length += 4;
  }

  /** Appends `source[from, to)`. */
  raw(source: Uint8Array, from: number, to: number): void {
    const count = to - from;
    this.reserve(count);
    const { bytes, length } = this;
    // A loop is faster than `set` on a new view for the few bytes of a term.
    if (count < 32)
      for (let i = 0; i < count; i += 1) bytes[length + i] = source[from + i] as number;
    else bytes.set(source.subarray(from, to), length);
    this.length += count;
  }

  view(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }
}
