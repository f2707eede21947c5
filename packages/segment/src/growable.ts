/** Typed arrays that grow by doubling. Hot loops read `items` directly and must fetch it again after a push. */

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

  /** Room for `total` items. */
  reserve(total: number): void {
    if (total <= this.items.length) return;
    const larger = new Int32Array(Math.max(total, this.items.length * 2));
    larger.set(this.items.subarray(0, this.length));
    this.items = larger;
  }

  /** A view of what was pushed. */
  view(): Int32Array {
    return this.items.subarray(0, this.length);
  }
}

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
 * Bytes with aligned 16- and 32-bit access over the same memory, for data that is read through typed views later.
 * Offsets are in bytes.
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

  /** Room for `count` more bytes. */
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

  /** Unsigned LEB128 of a non-negative 32-bit integer. */
  varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** The list must be aligned to 4. */
  word(value: number): void {
    this.reserve(4);
    this.words[this.length >>> 2] = value;
    this.length += 4;
  }

  raw(source: Uint8Array, from: number, to: number): void {
    const count = to - from;
    this.reserve(count);
    const { bytes, length } = this;
    // A loop beats `set` on a view for the few bytes of a term.
    if (count < 32)
      for (let i = 0; i < count; i += 1) bytes[length + i] = source[from + i] as number;
    else bytes.set(source.subarray(from, to), length);
    this.length += count;
  }

  view(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }
}
