/**
 * Bit sets of documents: bit `doc & 31` of word `doc >> 5`, as Lucene's `FixedBitSet` with words of
 * 32 bits; and the size of a batch of documents. Bits at or above `maxDoc` are always 0.
 */
import { NO_MORE_DOCS } from "@orrery/segment";

/**
 * Documents in a batch: small enough that its arrays stay in the first-level cache, large enough
 * that a call per batch costs nothing per document.
 */
export const BATCH = 1024;

/**
 * Whether the set contains the document. The caller ensures that `doc` is below `maxDoc`; no bound
 * is checked.
 */
export function hasBit(words: Int32Array, doc: number): boolean {
  return ((words[doc >> 5] as number) & (1 << (doc & 31))) !== 0;
}

/** The first set bit in [from, limit); `NO_MORE_DOCS`: there is none. */
export function nextBit(words: Int32Array, from: number, limit: number): number {
  let at = from >> 5;
  if (from >= limit) return NO_MORE_DOCS;
  // Bits below `from` in its word are cleared. The test for the end stands first because
  // `words[at]` may lie behind the array.
  let word = (words[at] as number) & (-1 << (from & 31));
  for (;;) {
    if (word !== 0) {
      // `word & -word` leaves the lowest set bit, and 31 minus its leading zeros is its number.
      const doc = (at << 5) + 31 - Math.clz32(word & -word);
      return doc < limit ? doc : NO_MORE_DOCS;
    }
    at += 1;
    if (at >= words.length) return NO_MORE_DOCS;
    word = words[at] as number;
  }
}

/** Number of documents in the set. */
export function popCount(words: Int32Array): number {
  let total = 0;
  for (let i = 0; i < words.length; i += 1) total += bitCount(words[i] as number);
  return total;
}

/**
 * Set bits of a word, added up in parallel lanes of 2, 4 and 8 bits: JavaScript has no instruction
 * for it. The multiplication sums the four bytes into the highest one.
 */
export function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** An empty set for documents below `maxDoc`. */
export function emptyWords(maxDoc: number): Int32Array {
  return new Int32Array((maxDoc + 31) >> 5);
}
