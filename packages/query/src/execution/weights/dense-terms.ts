/**
 * Dense terms: documents and frequencies of a frequent term by document. Whether a document has the term, and how often, is one look
 * then; the postings are asked by a search in a block, and decoded for it. A column is made when a second search asks for it.
 */
import type { SegmentReader, Terms } from "@orrery/segment";
import { emptyWords } from "../bits.ts";
import { keepColumns } from "./kept-terms.ts";

export interface DenseTerm {
  /** A bit for each document that has the term. */
  readonly bits: Int32Array;
  /** By document: 0 where the term is not. `undefined`: some document has it more than 255 times. */
  readonly freqs: Uint8Array | undefined;
}

const kept = keepColumns({ bytesPerDoc: 1.125, make: denseTerm });

/** Of a term that searches ask for again. */
export function denseTermOf(
  reader: SegmentReader,
  terms: Terms,
  ord: number,
): DenseTerm | undefined {
  return kept.of(reader, terms, ord);
}

const MOST_FREQ = 255;

function denseTerm(terms: Terms, ord: number, maxDoc: number): DenseTerm {
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
