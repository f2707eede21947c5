/**
 * Bits of documents, 32 in a word, and the size of a batch of documents.
 */
import { NO_MORE_DOCS } from "@orrery/segment";

export const BATCH = 1024;

export function hasBit(words: Int32Array, doc: number): boolean {
  return ((words[doc >> 5] as number) & (1 << (doc & 31))) !== 0;
}

/** The first set bit at or after `from`, or `NO_MORE_DOCS`. */
export function nextBit(words: Int32Array, from: number, limit: number): number {
  let at = from >> 5;
  if (from >= limit) return NO_MORE_DOCS;
  let word = (words[at] as number) & (-1 << (from & 31));
  for (;;) {
    if (word !== 0) {
      const doc = (at << 5) + 31 - Math.clz32(word & -word);
      return doc < limit ? doc : NO_MORE_DOCS;
    }
    at += 1;
    if (at >= words.length) return NO_MORE_DOCS;
    word = words[at] as number;
  }
}

export function popCount(words: Int32Array): number {
  let total = 0;
  for (let i = 0; i < words.length; i += 1) total += bitCount(words[i] as number);
  return total;
}

export function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function emptyWords(maxDoc: number): Int32Array {
  return new Int32Array((maxDoc + 31) >> 5);
}
