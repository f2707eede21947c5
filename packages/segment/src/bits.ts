/** Bit sets of documents: bit `doc & 31` of word `doc >> 5`. Live docs, roots and presence bits share this form. */
import type { DocSet } from "./types.ts";

/** Number of 32-bit words for `maxDoc` bits. */
export function wordCount(maxDoc: number): number {
  return (maxDoc + 31) >>> 5;
}

export function hasBit(words: Int32Array, doc: number): boolean {
  return ((words[doc >> 5] as number) & (1 << (doc & 31))) !== 0;
}

export function setBit(words: Int32Array, doc: number): void {
  words[doc >> 5] = (words[doc >> 5] as number) | (1 << (doc & 31));
}

export function clearBit(words: Int32Array, doc: number): void {
  words[doc >> 5] = (words[doc >> 5] as number) & ~(1 << (doc & 31));
}

export function countBits(words: Int32Array): number {
  let count = 0;
  // Population count by parallel sums of 2, 4 and 8 bits; the multiplication adds the four bytes into the top one.
  for (let word of words) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** A set over `words`; without words the set of all `count` documents, whose `has` needs no memory access. */
export function createDocSet(count: number, words: Int32Array | undefined): DocSet {
  return {
    count,
    words,
    has: words === undefined ? () => true : (doc) => hasBit(words, doc),
  };
}
