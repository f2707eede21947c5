/**
 * Position signatures: 32 bits for each document of a term, bit `position & 31` for each of its positions. The terms of a phrase can only
 * be at their places in a document if their signatures, each turned back by its place, share a bit. One look at a column answers that
 * for most documents, where the postings would have to be decoded.
 *
 * A segment keeps signatures of terms that phrases ask for again, within a part of its own size, as the product's query cache keeps
 * the documents of filters. They depend on nothing but the segment.
 */
import type { SegmentReader, Terms } from "@orrery/segment";

/** Smaller segments are read faster than signatures are worth, larger ones would take too much memory for each term. */
const LEAST_DOCS = 4096;
const MOST_DOCS = 2_097_152;
/** Rarer terms have so few blocks that these are decoded. */
const LEAST_SHARE = 1 / 32;
/** A term has its signatures made when it is asked for so many times. */
const USES_TO_BE_MADE = 2;
/** After so many questions all counts of uses are halved, so that terms of the past make room. */
const USES_UNTIL_HALVED = 1024;
/** A term takes the place of another one that is used less than half as often. */
const TIMES_USED_MORE = 2;
const MOST_BYTES = 33_554_432;
const SHARE_OF_SEGMENT = 1 / 4;

export interface Signatures {
  /** By document: bit `position & 31` of each position; 0 where the term is not. */
  readonly words: Int32Array;
  /** The greatest position in any document: below 32, a bit is a position. */
  readonly lastPosition: number;
}

/** Memory ends with the segment. */
const kept = new WeakMap<Terms, KeptSignatures>();

/** `undefined`: the term is too rare, the segment too small or too large, or other terms are used more. */
export function signaturesOf(
  reader: SegmentReader,
  terms: Terms,
  ord: number,
): Signatures | undefined {
  const { maxDoc } = reader;
  if (maxDoc < LEAST_DOCS || maxDoc > MOST_DOCS || terms.docFreq(ord) < maxDoc * LEAST_SHARE)
    return undefined;
  let known = kept.get(terms);
  if (known === undefined) {
    const bytes = Math.min(MOST_BYTES, reader.sizeBytes * SHARE_OF_SEGMENT);
    known = new KeptSignatures(terms, maxDoc, Math.floor(bytes / (maxDoc * 4)));
    kept.set(terms, known);
  }
  return known.of(ord);
}

class KeptSignatures {
  private readonly terms: Terms;
  private readonly maxDoc: number;
  private readonly capacity: number;
  private readonly uses = new Map<number, number>();
  private readonly made = new Map<number, Signatures>();
  private asked = 0;

  constructor(terms: Terms, maxDoc: number, capacity: number) {
    this.terms = terms;
    this.maxDoc = maxDoc;
    this.capacity = capacity;
  }

  of(ord: number): Signatures | undefined {
    this.asked += 1;
    if (this.asked % USES_UNTIL_HALVED === 0) this.halve();
    const uses = (this.uses.get(ord) ?? 0) + 1;
    this.uses.set(ord, uses);
    const found = this.made.get(ord);
    if (found !== undefined || uses < USES_TO_BE_MADE || !this.makeRoom(uses)) return found;
    const signatures = signaturesFrom(this.terms, ord, this.maxDoc);
    this.made.set(ord, signatures);
    return signatures;
  }

  private halve(): void {
    for (const [ord, uses] of this.uses) {
      if (uses > 1) this.uses.set(ord, uses >> 1);
      else this.uses.delete(ord);
    }
  }

  private makeRoom(uses: number): boolean {
    if (this.made.size < this.capacity) return true;
    let least = -1;
    let leastUses = uses / TIMES_USED_MORE;
    for (const ord of this.made.keys()) {
      const others = this.uses.get(ord) ?? 0;
      if (others >= leastUses) continue;
      least = ord;
      leastUses = others;
    }
    return this.made.delete(least);
  }
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
