/** One term of a conjunction or disjunction: a cursor that reads ahead by whole blocks when its documents lie dense. */
import { NO_MORE_DOCS, type Bm25Scorer, type Postings } from "@orrery/segment";
import type { TermScorer } from "./term.ts";

export class ClauseCursor {
  readonly postings: Postings;
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  readonly cost: number;
  readonly maxScore: number;
  /** The decoded documents are `docs[at..length)`; the current one is `docs[at]`. */
  docs: Int32Array = new Int32Array(129);
  freqs: Int32Array = new Int32Array(129);
  at = 0;
  length = 0;
  isOver = false;

  constructor({ postings, bm25, norms, maxScore, cost }: TermScorer) {
    this.postings = postings;
    this.bm25 = bm25;
    this.norms = norms;
    this.maxScore = maxScore;
    this.cost = cost;
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
    const { docs, freqs, postings } = this;
    for (let i = 0; i < count; i += 1) {
      docs[i] = postings.docs[i] as number;
      freqs[i] = postings.freqs[i] as number;
    }
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

  /** Leaves what is decoded and starts again at `target`. */
  private jump(target: number): number {
    this.at = 0;
    this.length = 0;
    if (this.isOver) return NO_MORE_DOCS;
    const { postings, docs, freqs } = this;
    const doc = postings.docId() >= target ? postings.docId() : postings.advance(target);
    if (doc === NO_MORE_DOCS) {
      this.isOver = true;
      return NO_MORE_DOCS;
    }
    docs[0] = doc;
    freqs[0] = postings.freq();
    this.length = 1;
    if (doc !== postings.shallowAdvance(doc)) {
      const count = postings.nextBlock();
      for (let i = 0; i < count; i += 1) {
        docs[i + 1] = postings.docs[i] as number;
        freqs[i + 1] = postings.freqs[i] as number;
      }
      this.length = count + 1;
    }
    return doc;
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
    this.at = 0;
    this.length = 0;
    if (this.isOver) return NO_MORE_DOCS;
    const { postings } = this;
    const doc = postings.docId() >= target ? postings.docId() : postings.advance(target);
    if (doc === NO_MORE_DOCS) {
      this.isOver = true;
      return NO_MORE_DOCS;
    }
    this.docs[0] = doc;
    this.freqs[0] = postings.freq();
    this.length = 1;
    return doc;
  }

  /** Of the current document. */
  score(): number {
    const doc = this.docs[this.at] as number;
    return this.bm25.score(
      this.freqs[this.at] as number,
      this.norms === undefined ? 1 : (this.norms[doc] as number),
    );
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
