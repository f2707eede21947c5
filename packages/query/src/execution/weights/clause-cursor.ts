/** One term of a conjunction or disjunction: a cursor that reads ahead by whole blocks when its documents lie dense. */
import { NO_MORE_DOCS, type Bm25Scorer, type Postings } from "@orrery/segment";
import type { TermScorer } from "./term.ts";

const EMPTY = new Int32Array(0);

export class ClauseCursor {
  readonly postings: Postings;
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  readonly cost: number;
  readonly maxScore: number;
  /** Frequencies by document, where the segment keeps them. */
  readonly column: Uint8Array | undefined;
  readonly bits: Int32Array | undefined;
  /** Those last decoded are `docs[at..length)`, the current one is `docs[at]`: the postings' own arrays, or one of one. */
  docs: Int32Array = EMPTY;
  freqs: Int32Array = EMPTY;
  at = 0;
  length = 0;
  isOver = false;
  /** The best score in the window that is being looked at. */
  bound = 0;

  private readonly singleDoc = new Int32Array(1);
  private readonly singleFreq = new Int32Array(1);

  constructor({ postings, bm25, norms, maxScore, cost, dense }: TermScorer) {
    this.postings = postings;
    this.bm25 = bm25;
    this.norms = norms;
    this.maxScore = maxScore;
    this.cost = cost;
    this.column = dense?.freqs;
    this.bits = dense?.freqs === undefined ? undefined : dense.bits;
  }

  /** Decodes the next block; false at the end. */
  fill(): boolean {
    const count = this.isOver ? 0 : this.postings.nextBlock();
    this.at = 0;
    this.length = count;
    if (count === 0) {
      this.isOver = true;
      return false;
    }
    this.docs = this.postings.docs;
    this.freqs = this.postings.freqs;
    return true;
  }

  /** Current document at or after `target`, by decoded blocks. */
  seek(target: number): number {
    if (this.at < this.length) {
      const { docs, length } = this;
      if ((docs[length - 1] as number) >= target) {
        let { at } = this;
        while ((docs[at] as number) < target) at += 1;
        this.at = at;
        return docs[at] as number;
      }
    }
    return this.jump(target);
  }

  /** Leaves what is decoded and starts again in the block of `target`. */
  private jump(target: number): number {
    const { postings } = this;
    if (!this.isOver && postings.docId() >= target) return this.take(postings.docId());
    if (this.isOver || !postings.advanceBlock(target) || !this.fill()) return this.end();
    const { docs } = this;
    let at = 0;
    while ((docs[at] as number) < target) at += 1;
    this.at = at;
    return docs[at] as number;
  }

  /** As `seek`, without decoding: for sparse visits. */
  visit(target: number): number {
    if (this.at < this.length) {
      const { docs, length } = this;
      if ((docs[length - 1] as number) >= target) {
        let low = this.at;
        let high = length - 1;
        while (low < high) {
          const middle = (low + high) >>> 1;
          if ((docs[middle] as number) < target) low = middle + 1;
          else high = middle;
        }
        this.at = low;
        return docs[low] as number;
      }
    }
    if (this.isOver) return this.end();
    const { postings } = this;
    return this.take(postings.docId() >= target ? postings.docId() : postings.advance(target));
  }

  /** The document that the postings stand on, alone. */
  private take(doc: number): number {
    if (doc === NO_MORE_DOCS) return this.end();
    this.docs = this.singleDoc;
    this.freqs = this.singleFreq;
    this.docs[0] = doc;
    this.freqs[0] = this.postings.freq();
    this.at = 0;
    this.length = 1;
    return doc;
  }

  private end(): number {
    this.isOver = true;
    this.at = 0;
    this.length = 0;
    return NO_MORE_DOCS;
  }

  /** How often the document has the term; 0: not at all. Documents are asked for in order. */
  freqIn(doc: number): number {
    if (this.column !== undefined) return this.column[doc] as number;
    return this.visit(doc) === doc ? (this.freqs[this.at] as number) : 0;
  }

  /** Of a document that has the term so often. */
  scoreOf(doc: number, freq: number): number {
    return this.bm25.score(freq, this.norms === undefined ? 1 : (this.norms[doc] as number));
  }

  /** Of the current document. */
  score(): number {
    const doc = this.docs[this.at] as number;
    return this.bm25.score(
      this.freqs[this.at] as number,
      this.norms === undefined ? 1 : (this.norms[doc] as number),
    );
  }

  /** The first document of [from, to) that a block with a score above `score` may hold; `to` if there is none. */
  nextBlockOver(from: number, to: number, score: number): number {
    let target = from;
    while (target < to) {
      const end = this.postings.shallowAdvance(target);
      if (end === NO_MORE_DOCS) return to;
      if (this.postings.blockMaxScore(this.bm25) > score) return target;
      target = end + 1;
    }
    return to;
  }

  /** Index of the first decoded document, from the current one on, that is not before `target`; `length` if all are. */
  placeOf(target: number): number {
    const { docs, length } = this;
    if ((docs[length - 1] as number) < target) return length;
    let low = this.at;
    let high = length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((docs[middle] as number) < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Upper bound of any score in [from, to). */
  maxScoreIn(from: number, to: number): number {
    let best = 0;
    let target = from;
    while (target < to) {
      const end = this.postings.shallowAdvance(target);
      if (end === NO_MORE_DOCS) break;
      const score = this.postings.blockMaxScore(this.bm25);
      if (score > best) best = score;
      target = end + 1;
    }
    return best;
  }
}
