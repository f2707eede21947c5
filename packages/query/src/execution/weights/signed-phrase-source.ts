/**
 * Exact phrases of frequent terms. Documents of the rarest term are sifted by the signatures of all
 * terms that have them; positions are read only for documents that pass. In a segment whose
 * positions all fit the 32 bits, signatures alone give the frequencies. For phrases of which all
 * terms but the rarest have signatures; `phrase-source.ts` decodes blocks for all others.
 */
import { BLOCK_SIZE, type Postings } from "@orrery/segment";
import { greatest } from "@orrery/stdx";
import type { BatchSource, DocFilter } from "../../language/scorer.ts";
import { bitCount } from "../bits.ts";
import {
  exactFrequency,
  loadPositions,
  type DocumentWork,
  type PhrasePart,
} from "./phrase-match.ts";
import { nextCompetitiveBlock, scorePhrases, type PhraseSourceOptions } from "./phrase-source.ts";
import type { Signatures } from "./position-signatures.ts";

/** A term of the phrase with its signatures. */
export interface SignedTerm {
  /** Position of the term in the phrase. */
  readonly place: number;
  readonly signatures: Signatures;
}

/** A phrase in one segment. Every term, with the possible exception of the rarest, has position signatures. */
export interface SignedPhrase {
  /** Postings of the rarest term. */
  readonly lead: Postings;
  /** The terms with signatures: all of them, or all but the rarest; never empty. */
  readonly signed: readonly SignedTerm[];
  /**
   * All terms with postings of their own, which are moved only to documents that pass the
   * signatures.
   */
  readonly parts: readonly PhrasePart[];
  readonly work: DocumentWork;
}

/** The source of the documents with the phrase. */
export class SignedPhraseSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(BLOCK_SIZE);
  readonly scores: Float32Array | undefined = new Float32Array(BLOCK_SIZE);
  private readonly freqs = new Int32Array(BLOCK_SIZE);
  /** Bits that the signatures of `docs` share: possible starts, modulo 32. */
  private readonly common = new Int32Array(BLOCK_SIZE);
  private readonly phrase: SignedPhrase;
  private readonly options: PhraseSourceOptions;
  /** Signatures decide without positions. */
  private readonly isExact: boolean;
  private minScore = 0;

  constructor(phrase: SignedPhrase, options: PhraseSourceOptions) {
    this.phrase = phrase;
    this.options = options;
    this.isExact = isExact(phrase);
  }

  setMinScore(score: number): void {
    this.minScore = score;
  }

  next(): number {
    const { docs, freqs, options } = this;
    const { filters, needsScores } = options;
    const { lead } = this.phrase;
    const bm25 = needsScores ? options.bm25 : undefined;
    for (;;) {
      const length = nextCompetitiveBlock(lead, bm25, {
        minScore: this.minScore,
        needsFreqs: false,
      });
      if (length === 0) return 0;
      let count = this.sift(lead.docs, length);
      // Before positions are read: a filter costs far less.
      for (let i = 0; i < filters.length && count > 0; i += 1)
        count = (filters[i] as DocFilter).keep(docs, this.common, count);
      count = this.isExact ? this.countBits(count) : this.keepPhrases(count);
      if (count === 0) continue;
      if (bm25 !== undefined) scorePhrases(this, freqs, { count, norms: options.norms, bm25 });
      return count;
    }
  }

  /**
   * Moves the documents whose rotated signatures share a bit to the front of `docs`, with the
   * shared bits. Two terms are intersected at once. No branch depends on the data: which documents
   * pass cannot be predicted.
   */
  private sift(from: Int32Array, length: number): number {
    const { docs, common } = this;
    const { signed } = this.phrase;
    const first = signed[0] as SignedTerm;
    const second = signed[1] ?? first;
    const a = first.signatures.words;
    const b = second.signatures.words;
    // JavaScript shifts by the lowest five bits of a distance, so `x >>> p | x << -p` rotates by
    // `p`, and gives `x` for 0. With a single signed term both sides are the same.
    const turnA = first.place;
    const turnB = second.place;
    let kept = 0;
    for (let i = 0; i < length; i += 1) {
      const doc = from[i] as number;
      const ofA = a[doc] as number;
      const ofB = b[doc] as number;
      const shared = ((ofA >>> turnA) | (ofA << -turnA)) & ((ofB >>> turnB) | (ofB << -turnB));
      docs[kept] = doc;
      common[kept] = shared;
      // 1 for every word but 0.
      kept += (shared | -shared) >>> 31;
    }
    for (let t = 2; t < signed.length; t += 1) kept = this.siftAgain(signed[t] as SignedTerm, kept);
    return kept;
  }

  /** Intersects a further term with the shared bits. */
  private siftAgain({ signatures, place }: SignedTerm, count: number): number {
    const { docs, common } = this;
    const { words } = signatures;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      const word = words[doc] as number;
      const shared = (common[i] as number) & ((word >>> place) | (word << -place));
      docs[kept] = doc;
      common[kept] = shared;
      kept += (shared | -shared) >>> 31;
    }
    return kept;
  }

  /** Each shared bit is one start, so their number is the frequency. */
  private countBits(count: number): number {
    const { common, freqs } = this;
    for (let i = 0; i < count; i += 1) freqs[i] = bitCount(common[i] as number);
    return count;
  }

  /** Compares positions: keeps the documents with the phrase and stores its frequency. */
  private keepPhrases(count: number): number {
    const { docs, freqs } = this;
    const { parts, work } = this.phrase;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      work.start();
      if (!loadAll(parts, doc)) continue;
      const frequency = exactFrequency(parts, work);
      if (frequency === 0) continue;
      docs[kept] = doc;
      freqs[kept] = frequency;
      kept += 1;
    }
    return kept;
  }
}

/**
 * Whether no two starts share a bit: all terms have signatures, and starts, from minus the last
 * place to the last position, number at most 32.
 */
function isExact({ signed, parts }: SignedPhrase): boolean {
  const lastPlace = greatest(signed.map(({ place }) => place));
  const lastPosition = greatest(signed.map(({ signatures }) => signatures.lastPosition));
  return signed.length === parts.length && lastPosition + lastPlace < 32;
}

/**
 * Reads the positions of all terms in the document; false if one of them is missing. A term at
 * several places is read once: its postings already stand on the document.
 */
function loadAll(parts: readonly PhrasePart[], doc: number): boolean {
  for (const { words } of parts) {
    const postings = words.postings[0] as Postings;
    if (postings.docId() < doc) {
      if (postings.advance(doc) !== doc) return false;
      loadPositions(words, doc);
    } else if (postings.docId() !== doc) return false;
  }
  return true;
}
