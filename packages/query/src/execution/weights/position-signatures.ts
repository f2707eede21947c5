/**
 * Position signatures: 32 bits for each document of a term, with bit `position & 31` set for each
 * of its positions. The terms of a phrase can stand at their places in a document only if their
 * signatures, each rotated right by its place, share a bit: the start of the phrase. One read of a
 * column rejects most documents whose positions would otherwise be decoded.
 */
import type { SegmentReader, Terms } from "@orrery/segment";
import { keepColumns } from "./kept-terms.ts";

/** The position signatures of one term in one segment. */
export interface Signatures {
  /** Signature by document; 0 where the document lacks the term. */
  readonly words: Int32Array;
  /** Highest position in any document; if it is below 32, each bit stands for one position. */
  readonly lastPosition: number;
}

const kept = keepColumns({ bytesPerDoc: 4, make: signaturesFrom });

/** The signatures of a term; `undefined` unless the segment keeps them (`kept-terms.ts`). */
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
      // Positions of a document ascend, so its last one is the highest.
      lastPosition = Math.max(lastPosition, positions[at - 1] as number);
    }
  }
}
