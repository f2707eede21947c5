/**
 * Counts of matches without frequencies, scores or documents in hand, for `Weight.countAhead`: a
 * union of terms, an intersection of terms with bit sets, one term with filters. A count that
 * exceeds `limit` may be incomplete: "more than `limit`" is all that its caller reads.
 */
import { BLOCK_SIZE, type Postings } from "@orrery/segment";
import type { DocFilter } from "../../language/scorer.ts";
import type { SegmentContext } from "../../language/searcher.ts";
import { BATCH, bitCount } from "../bits.ts";

/** Documents whose bits are collected at once. */
const WINDOW = 8192;

/**
 * A term of a union. `postings` stand at their start; `bits` are its documents, where the segment
 * keeps them, and then the postings are not read.
 */
export interface CountedTerm {
  readonly postings: Postings;
  readonly bits: Int32Array | undefined;
}

/** The documents of one term by decoded blocks, consumed up to `at`. */
class BlockReader {
  docs: Int32Array = new Int32Array(0);
  at = 0;
  length = 0;
  private readonly postings: Postings;

  constructor(postings: Postings) {
    this.postings = postings;
  }

  /** Decodes the next block without frequencies; false at the end. */
  fill(): boolean {
    this.length = this.postings.nextBlock(false);
    this.docs = this.postings.docs;
    this.at = 0;
    return this.length > 0;
  }
}

/**
 * Number of accepted documents with any of the terms. The postings are consumed. Windows of bits
 * count a document with several terms once; deleted documents are masked out by words.
 */
export function countAny(
  terms: readonly CountedTerm[],
  { accept, maxDoc }: SegmentContext,
  limit: number,
): number {
  const words = new Int32Array(WINDOW >> 5);
  const kept = terms.flatMap(({ bits }) => bits ?? []);
  let readers = terms.flatMap(({ postings, bits }) =>
    bits === undefined ? [new BlockReader(postings)] : [],
  );
  let count = 0;
  for (let base = 0; base < maxDoc && count <= limit; base += WINDOW) {
    // Readers that are exhausted leave; the others have a current document.
    readers = readers.filter((reader) => reader.at < reader.length || reader.fill());
    // Windows without documents are skipped where postings alone decide. A bit set would have to be
    // scanned for its next document, so with one every window is visited. The base stays a multiple
    // of 32, as words of `accept` and of bit sets are combined with words of the window.
    if (kept.length === 0) {
      if (readers.length === 0) break;
      let first = Infinity;
      for (const { docs, at } of readers) first = Math.min(first, docs[at] as number);
      base = first & ~31;
    }
    for (const reader of readers) mark(reader, words, base);
    for (const bits of kept) addWindow(words, bits, base >> 5);
    count += takeWindow(words, accept, base >> 5);
  }
  return count;
}

/** Number of accepted documents with all of the terms, from their bit sets. */
export function countAll(terms: readonly Int32Array[], { accept }: SegmentContext): number {
  const all = accept === undefined ? terms : [accept, ...terms];
  const [first, ...others] = all;
  if (first === undefined) return 0;
  let count = 0;
  for (let at = 0; at < first.length; at += 1) {
    let word = first[at] as number;
    for (let i = 0; i < others.length; i += 1) word &= (others[i] as Int32Array)[at] as number;
    count += bitCount(word);
  }
  return count;
}

/** Adds the documents of a bit set from word `from` on to the window. */
function addWindow(words: Int32Array, bits: Int32Array, from: number): void {
  const count = Math.min(words.length, bits.length - from);
  for (let i = 0; i < count; i += 1) words[i] = (words[i] as number) | (bits[from + i] as number);
}

/** Adds a term's documents in the window that starts with `base`. */
function mark(reader: BlockReader, words: Int32Array, base: number): void {
  const end = base + WINDOW;
  for (;;) {
    let { at } = reader;
    const { docs, length } = reader;
    for (; at < length; at += 1) {
      const doc = docs[at] as number;
      if (doc >= end) break;
      const slot = doc - base;
      words[slot >> 5] = (words[slot >> 5] as number) | (1 << (slot & 31));
    }
    reader.at = at;
    if (at < length || !reader.fill()) return;
  }
}

/**
 * Number of the term's documents that pass the filters. Several blocks are gathered before the
 * filters run: each call of a filter has a fixed cost.
 */
export function countKept(
  postings: Postings,
  filters: readonly DocFilter[],
  limit: number,
): number {
  const docs = new Int32Array(BATCH);
  let total = 0;
  for (let isExhausted = false; !isExhausted && total <= limit;) {
    let count = 0;
    while (count <= BATCH - BLOCK_SIZE) {
      const length = postings.nextBlock(false);
      isExhausted = length === 0;
      if (isExhausted) break;
      const { docs: block } = postings;
      for (let i = 0; i < length; i += 1) docs[count + i] = block[i] as number;
      count += length;
    }
    for (let i = 0; i < filters.length && count > 0; i += 1)
      count = (filters[i] as DocFilter).keep(docs, undefined, count);
    total += count;
  }
  return total;
}

/** Counts the accepted documents of the window and clears it for the next one. */
function takeWindow(words: Int32Array, accept: Int32Array | undefined, from: number): number {
  let count = 0;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] as number;
    if (word === 0) continue;
    words[i] = 0;
    count += bitCount(accept === undefined ? word : word & (accept[from + i] as number));
  }
  return count;
}
