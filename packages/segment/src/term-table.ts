/**
 * Distinct terms of one field in the indexing buffer: an open-addressing hash table over one pool of bytes. Terms get
 * numbers in order of first occurrence; sorting them waits for the flush.
 */
import { ByteList, IntList } from "./growable.ts";
import { sortByKeys } from "./radix-sort.ts";

const FIRST_SLOTS = 64;

/** Numbers terms from 0 on in order of first occurrence. At most half of the slots are used. */
export class TermTable {
  readonly pool: ByteList = new ByteList(256);
  /** Start of each term in the pool; a term ends where the next one starts. */
  readonly starts: IntList = new IntList();
  /**
   * Four words per slot: term number + 1 (0: free), hash, start and length of the bytes. Start and length are
   * repeated here so that a probe touches one cache line.
   */
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

  /** The number of a term, assigned now if the term is new. */
  add(bytes: Uint8Array, length: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const pool = this.pool.bytes;
    let slot = (hash << 2) & mask;
    // Hash and length are compared before any byte; a false match on both is rare.
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

  /** Rehashing uses the stored hashes and reads no term. */
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

  /**
   * Term numbers in unsigned byte order. A radix sort by the first 8 bytes orders nearly all terms; only runs with
   * equal keys are compared byte by byte.
   */
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

  /** Four bytes of a term as a big-endian word, padded with zeros. Big endian, so that comparing words compares byte strings. */
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

  /** Also decides between terms whose padding makes their keys equal, such as "a" and "a\\0". */
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
