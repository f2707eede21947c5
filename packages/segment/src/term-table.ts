/** The distinct terms of one field in the indexing buffer: an open hash table over one pool of bytes. */
import { ByteList, IntList } from "./growable.ts";
import { sortByKeys } from "./radix-sort.ts";

const FIRST_SLOTS = 64;

/** Terms get numbers from 0 on in the order they first come. */
export class TermTable {
  readonly pool: ByteList = new ByteList(256);
  /** Where each term starts in the pool; it ends where the next one starts. */
  readonly starts: IntList = new IntList();
  /** Four words per slot: the term's number + 1, its hash, where its bytes are, how many. */
  #slots = new Int32Array(FIRST_SLOTS * 4);

  get size(): number {
    return this.starts.length;
  }

  get ramBytes(): number {
    return this.pool.length + this.size * 4 + this.#slots.length * 4;
  }

  start(term: number): number {
    return this.starts.items[term] as number;
  }

  end(term: number): number {
    return term + 1 < this.size ? this.start(term + 1) : this.pool.length;
  }

  /** The term's number, new or known. */
  add(bytes: Uint8Array, length: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const pool = this.pool.bytes;
    let slot = (hash << 2) & mask;
    for (;;) {
      const known = slots[slot] as number;
      if (known === 0) break;
      if (slots[slot + 1] === hash && slots[slot + 3] === length) {
        const start = slots[slot + 2] as number;
        let i = 0;
        while (i < length && pool[start + i] === bytes[i]) i += 1;
        if (i === length) return known - 1;
      }
      slot = (slot + 4) & mask;
    }
    return this.#insert(slot, bytes, length, hash);
  }

  #insert(slot: number, bytes: Uint8Array, length: number, hash: number): number {
    const slots = this.#slots;
    const term = this.starts.length;
    slots[slot] = term + 1;
    slots[slot + 1] = hash;
    slots[slot + 2] = this.pool.length;
    slots[slot + 3] = length;
    this.starts.push(this.pool.length);
    this.pool.raw(bytes, 0, length);
    if (this.starts.length * 8 > slots.length) this.#grow();
    return term;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += 4) {
      if (old[from] === 0) continue;
      let slot = ((old[from + 1] as number) << 2) & mask;
      while (slots[slot] !== 0) slot = (slot + 4) & mask;
      for (let i = 0; i < 4; i += 1) slots[slot + i] = old[from + i] as number;
    }
    this.#slots = slots;
  }

  /** The terms' numbers in unsigned byte order: by their first 8 bytes without comparing, the rest by comparing. */
  sorted(): Int32Array {
    const { size } = this;
    const high = new Int32Array(size);
    const low = new Int32Array(size);
    for (let term = 0; term < size; term += 1) {
      high[term] = this.#bytesAt(term, 0);
      low[term] = this.#bytesAt(term, 4);
    }
    const order = sortByKeys(size, low, high);
    let from = 0;
    for (let to = 1; to <= size; to += 1) {
      const isSame =
        to < size &&
        high[order[to] as number] === high[order[from] as number] &&
        low[order[to] as number] === low[order[from] as number];
      if (isSame) continue;
      if (to - from > 1) order.subarray(from, to).sort((a, b) => this.#compare(a, b));
      from = to;
    }
    return order;
  }

  /** Four bytes of the term, big endian, zeros past its end. */
  #bytesAt(term: number, offset: number): number {
    const pool = this.pool.bytes;
    const at = this.start(term) + offset;
    const rest = this.end(term) - at;
    return (
      ((rest > 0 ? (pool[at] as number) : 0) << 24) |
      ((rest > 1 ? (pool[at + 1] as number) : 0) << 16) |
      ((rest > 2 ? (pool[at + 2] as number) : 0) << 8) |
      (rest > 3 ? (pool[at + 3] as number) : 0)
    );
  }

  #compare(a: number, b: number): number {
    const pool = this.pool.bytes;
    const [startA, startB] = [this.start(a), this.start(b)];
    const [lengthA, lengthB] = [this.end(a) - startA, this.end(b) - startB];
    const common = Math.min(lengthA, lengthB);
    for (let i = 0; i < common; i += 1) {
      const difference = (pool[startA + i] as number) - (pool[startB + i] as number);
      if (difference !== 0) return difference;
    }
    return lengthA - lengthB;
  }
}
