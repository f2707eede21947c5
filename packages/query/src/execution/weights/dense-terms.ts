/**
 * Dense terms: documents and frequencies of a frequent term in columns, by document. A conjunction
 * or a disjunction then tests a document and reads its frequency with one access, where postings
 * would be searched for the block and the block decoded. `kept-terms.ts` decides which terms keep
 * columns; the second search for a term builds them.
 */
import type { SegmentReader, Terms } from "@orrery/segment";
import { emptyWords } from "../bits.ts";
import { keepColumns } from "./kept-terms.ts";

/** Columns of one term in one segment, deleted documents included. */
export interface DenseTerm {
  /** Bit set of the documents that have the term. */
  readonly bits: Int32Array;
  /**
   * Frequency of the term by document, 0 where the document lacks it. `undefined`: a frequency
   * exceeds 255 and does not fit a byte; a rounded one would change scores.
   */
  readonly freqs: Uint8Array | undefined;
}

const kept = keepColumns({ bytesPerDoc: 1.125, make: denseTerm });

/** The columns of a term; `undefined` unless the segment keeps them. */
export function denseTermOf(
  reader: SegmentReader,
  terms: Terms,
  ord: number,
): DenseTerm | undefined {
  return kept.of(reader, terms, ord);
}

/** Highest frequency that a byte of the column holds. */
const MOST_FREQ = 255;

function denseTerm(terms: Terms, ord: number, maxDoc: number): DenseTerm {
  // One pass over the postings fills both columns. An overflow shows only at the end, so the bytes
  // are written meanwhile, truncated, and then discarded.
  const bits = emptyWords(maxDoc);
  const freqs = new Uint8Array(maxDoc);
  const postings = terms.postings(ord);
  let most = 0;
  for (;;) {
    const count = postings.nextBlock();
    if (count === 0) return { bits, freqs: most > MOST_FREQ ? undefined : freqs };
    for (let i = 0; i < count; i += 1) {
      const doc = postings.docs[i] as number;
      const freq = postings.freqs[i] as number;
      bits[doc >> 5] = (bits[doc >> 5] as number) | (1 << (doc & 31));
      freqs[doc] = freq;
      if (freq > most) most = freq;
    }
  }
}
