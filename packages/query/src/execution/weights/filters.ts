/**
 * Filters of batches: from a bit set, a test, a cursor, and the complement of another filter. They
 * compact `docs` in place and move `extra` (frequencies, or the bits of scores) along.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import { BATCH } from "../bits.ts";
import type { DocFilter, Scorer } from "../../language/scorer.ts";

/** Keeps the documents of a bit set. */
export function bitFilter(words: Int32Array): DocFilter {
  return { cost: 1, keep: siftBits(words, 0), drop: siftBits(words, 1) };
}

/**
 * Every document is written and its bit is added to the number kept, as in `ranges.ts`: no branch,
 * which for unrelated documents would often be mispredicted. `flip` of 1 keeps documents whose bit
 * is not set.
 */
function siftBits(words: Int32Array, flip: number): DocFilter["keep"] {
  return (docs, extra, count) => {
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      docs[kept] = doc;
      if (extra !== undefined) extra[kept] = extra[i] as number;
      kept += (((words[doc >> 5] as number) >>> (doc & 31)) & 1) ^ flip;
    }
    return kept;
  };
}

/** Keeps the documents that pass a test of one document. */
export function testFilter(test: (doc: number) => boolean): DocFilter {
  return {
    cost: 2,
    keep: (docs, extra, count) => {
      let kept = 0;
      for (let i = 0; i < count; i += 1) {
        const doc = docs[i] as number;
        if (!test(doc)) continue;
        docs[kept] = doc;
        if (extra !== undefined) extra[kept] = extra[i] as number;
        kept += 1;
      }
      return kept;
    },
  };
}

/**
 * Keeps the matches of a cursor, which only moves forward: documents ascend from batch to batch.
 */
export function scorerFilter(scorer: Scorer): DocFilter {
  const test = (doc: number): boolean => {
    let at = scorer.doc();
    if (at < doc) at = scorer.advance(doc);
    return at === doc && scorer.matches();
  };
  return { ...testFilter(test), cost: 10 };
}

/**
 * The complement of a filter. Without a `drop` of its own the filter runs over a copy of the batch,
 * and the documents that it kept are removed: both lists ascend, so one pass suffices.
 */
export function negated(filter: DocFilter): DocFilter {
  if (filter.drop !== undefined) return { cost: filter.cost, keep: filter.drop, drop: filter.keep };
  let copy = new Int32Array(0);
  return {
    cost: filter.cost + 1,
    keep: (docs, extra, count) => {
      if (copy.length < count) copy = new Int32Array(Math.max(count, BATCH));
      copy.set(docs.subarray(0, count));
      const matching = filter.keep(copy, undefined, count);
      let left = 0;
      let at = 0;
      for (let i = 0; i < count; i += 1) {
        const doc = docs[i] as number;
        if (at < matching && copy[at] === doc) {
          at += 1;
          continue;
        }
        docs[left] = doc;
        if (extra !== undefined) extra[left] = extra[i] as number;
        left += 1;
      }
      return left;
    },
  };
}

/** The filter of a clause without matches in the segment. */
export const dropAll: DocFilter = { cost: 0, keep: () => 0 };

/** Sets the bits of all matches of a cursor, which must be at its start. */
export function bitsOf(scorer: Scorer, words: Int32Array): void {
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
    if (scorer.matches()) words[doc >> 5] = (words[doc >> 5] as number) | (1 << (doc & 31));
  }
}
