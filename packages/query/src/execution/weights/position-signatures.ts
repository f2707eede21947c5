/**
 * Position signatures: 32 bits for each document of a term, bit `position & 31` for each of its positions. The terms of a phrase can only
 * be at their places in a document if their signatures, each turned back by its place, share a bit. One look at a column answers that
 * for most documents, where the postings would have to be decoded.
 */
import type { SegmentReader, Terms } from "@orrery/segment";
import { keepColumns } from "./kept-terms.ts";

export interface Signatures {
  /** By document: bit `position & 31` of each position; 0 where the term is not. */
  readonly words: Int32Array;
  /** The greatest position in any document: below 32, a bit is a position. */
  readonly lastPosition: number;
}

const kept = keepColumns({ bytesPerDoc: 4, make: signaturesFrom });

/** Of a term that phrases ask for again. */
export function signaturesOf(
  reader: SegmentReader,
  terms: Terms,
  ord: number,
): Signatures | undefined {
  return kept.of(reader, terms, ord);
}

function signaturesFrom(terms: Terms, ord: number, maxDoc: number): Signatures {
  const words = new Int32Array(maxDoc);
  let lastPosition = 0;
  const postings = terms.postings(ord);
  let positions = new Int32Array(256);
  for (;;) {
    const count = postings.nextBlock();
    if (count === 0) return { words, lastPosition };
    const { docs, freqs } = postings;
    let total = 0;
    for (let i = 0; i < count; i += 1) total += freqs[i] as number;
    if (positions.length < total) positions = new Int32Array(2 * total);
    postings.readBlockPositions(positions);
    let at = 0;
    for (let i = 0; i < count; i += 1) {
      let signature = 0;
      for (const end = at + (freqs[i] as number); at < end; at += 1)
        signature |= 1 << ((positions[at] as number) & 31);
      words[docs[i] as number] = signature;
      // Positions of a document ascend.
      lastPosition = Math.max(lastPosition, positions[at - 1] as number);
    }
  }
}
