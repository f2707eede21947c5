/**
 * Exact phrases of frequent terms: documents of the rarest term are sifted by position signatures, and the positions of those that are left
 * are compared. For phrases whose other terms have signatures; `phrase-source.ts` reads the blocks of all others.
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

export interface SignedTerm {
  readonly place: number;
  readonly signatures: Signatures;
}

export interface SignedPhrase {
  /** Of the rarest term. */
  readonly lead: Postings;
  /** All terms but those without signatures. */
  readonly signed: readonly SignedTerm[];
  /** All terms, with postings of their own. */
  readonly parts: readonly PhrasePart[];
  readonly work: DocumentWork;
}

export class SignedPhraseSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(BLOCK_SIZE);
  readonly scores: Float32Array | undefined = new Float32Array(BLOCK_SIZE);
  private readonly freqs = new Int32Array(BLOCK_SIZE);
  private readonly common = new Int32Array(BLOCK_SIZE);
  private readonly phrase: SignedPhrase;
  private readonly options: PhraseSourceOptions;
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
      for (let i = 0; i < filters.length && count > 0; i += 1)
        count = (filters[i] as DocFilter).keep(docs, this.common, count);
      count = this.isExact ? this.countBits(count) : this.keepPhrases(count);
      if (count === 0) continue;
      if (bm25 !== undefined) scorePhrases(this, freqs, { count, norms: options.norms, bm25 });
      return count;
    }
  }

  /**
   * Documents whose signatures share bits, to the front of `docs`, with these bits. Free of branches that depend on the data: which
   * documents are left cannot be predicted.
   */
  private sift(from: Int32Array, length: number): number {
    const { docs, common } = this;
    const { signed } = this.phrase;
    const first = signed[0] as SignedTerm;
    const second = signed[1] ?? first;
    const a = first.signatures.words;
    const b = second.signatures.words;
    // Shifts are of 5 bits: with place 0, both shifts give the signature itself.
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
      kept += (shared | -shared) >>> 31;
    }
    for (let t = 2; t < signed.length; t += 1) kept = this.siftAgain(signed[t] as SignedTerm, kept);
    return kept;
  }

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

  /** Each bit is a place where the phrase begins. */
  private countBits(count: number): number {
    const { common, freqs } = this;
    for (let i = 0; i < count; i += 1) freqs[i] = bitCount(common[i] as number);
    return count;
  }

  /** Documents with the phrase, to the front, and how often they have it. */
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

/** All terms have signatures, and no two places of a phrase's begin, the least of which is negative, share a bit. */
function isExact({ signed, parts }: SignedPhrase): boolean {
  const lastPlace = greatest(signed.map(({ place }) => place));
  const lastPosition = greatest(signed.map(({ signatures }) => signatures.lastPosition));
  return signed.length === parts.length && lastPosition + lastPlace < 32;
}

/** False where a term is missing. Terms that stand at several places are loaded once. */
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
