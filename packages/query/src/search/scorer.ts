/**
 * How documents of one segment are found: one by one (`Scorer`), many at a time (`BatchSource`), or checked in bulk
 * (`DocFilter`). Deleted and nested documents are the caller's to drop, except where `accept` is handed in.
 */
import { NO_MORE_DOCS } from "@orrery/segment";

/**
 * A cursor over candidates in order. `next` and `advance` may stop at documents that only look like matches: ask
 * `matches` before counting one. `doc` is -1 at first and `NO_MORE_DOCS` past the end.
 */
export interface Scorer {
  /** Estimated candidates. */
  readonly cost: number;
  doc(): number;
  next(): number;
  /** First candidate at or after `target`, which is greater than `doc()`. */
  advance(target: number): number;
  /** Whether the current candidate is a match. May be called again. */
  matches(): boolean;
  /** Of the current match: a float. */
  score(): number;
  /** Upper bound of all scores; `Infinity` when unknown. */
  readonly maxScore: number;
}

/** Matching documents, in order, in batches; only accepted ones. */
export interface BatchSource {
  /** Fills `docs` (and `scores`); returns how many, 0 at the end. */
  next(): number;
  readonly docs: Int32Array;
  /** Floats; present when scores were asked for. */
  readonly scores: Float32Array | undefined;
  /** From now on documents that score at most this need not come. */
  setMinScore(score: number): void;
}

export interface DocFilter {
  /** Rough cost of one check: 1 for a column or bit set. */
  readonly cost: number;
  /** Moves the matching documents of `docs[0..count)` to the front, `extra` along with them; returns how many. Ascending. */
  keep(docs: Int32Array, extra: Int32Array | undefined, count: number): number;
}

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
