/**
 * The cursor of one term inside a conjunction or a disjunction of terms. It can decode whole blocks
 * (`seek`), which pays where its documents lie dense, or move from document to document (`visit`),
 * which pays where few of a block's documents are wanted. Both may be mixed: the decoded block is
 * used while it reaches far enough, and the postings never move back.
 */
import { NO_MORE_DOCS, type Bm25Scorer, type Postings } from "@orrery/segment";
import type { TermScorer } from "./term.ts";

/** The decoded documents of every cursor before its first move. */
const EMPTY = new Int32Array(0);

/**
 * The postings of one term, with the state that the loops of `ConjunctionSource` and
 * `DisjunctionSource` keep for it. Both loops read and write `at`.
 */
export class ClauseCursor {
  readonly postings: Postings;
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  readonly cost: number;
  readonly maxScore: number;
  /** Frequencies by document (0: the term is missing), where the segment keeps them. */
  readonly column: Uint8Array | undefined;
  /**
   * Bit set of the term's documents; present only together with `column`, because a document that
   * the bits find still needs its frequency.
   */
  readonly bits: Int32Array | undefined;
  /**
   * Decoded documents that have not been consumed are `docs[at..length)`, the current one is
   * `docs[at]`. The array belongs to the postings after `fill`, to this cursor after a `visit`.
   */
  docs: Int32Array = EMPTY;
  /** Frequencies of `docs`, by the same index. */
  freqs: Int32Array = EMPTY;
  at = 0;
  length = 0;
  /** The postings are exhausted. */
  isExhausted = false;
  /** Upper bound of the term's scores in the current window of a disjunction. */
  bound = 0;

  /**
   * The arrays of a single visited document. The postings' own arrays must not be reused for it:
   * they still hold the block that the postings decoded last.
   */
  private readonly singleDoc = new Int32Array(1);
  private readonly singleFreq = new Int32Array(1);

  /** Takes over the postings of the scorer, which must not be moved by anyone else. */
  constructor({ postings, bm25, norms, maxScore, cost, dense }: TermScorer) {
    this.postings = postings;
    this.bm25 = bm25;
    this.norms = norms;
    this.maxScore = maxScore;
    this.cost = cost;
    this.column = dense?.freqs;
    this.bits = dense?.freqs === undefined ? undefined : dense.bits;
  }

  /** Decodes the next block and makes its first document the current one; false at the end. */
  fill(): boolean {
    const count = this.isExhausted ? 0 : this.postings.nextBlock();
    this.at = 0;
    this.length = count;
    if (count === 0) {
      this.isExhausted = true;
      return false;
    }
    this.docs = this.postings.docs;
    this.freqs = this.postings.freqs;
    return true;
  }

  /**
   * Makes the first document at or after `target` the current one, decoding its block;
   * `NO_MORE_DOCS` at the end. `target` is not below earlier ones.
   */
  seek(target: number): number {
    if (this.at < this.length) {
      const { docs, length } = this;
      if ((docs[length - 1] as number) >= target) {
        let { at } = this;
        // A linear scan: targets of dense clauses are a few documents apart, where it beats a
        // binary search.
        while ((docs[at] as number) < target) at += 1;
        this.at = at;
        return docs[at] as number;
      }
    }
    return this.jump(target);
  }

  /** Abandons the decoded documents and decodes the block of `target`. */
  private jump(target: number): number {
    const { postings } = this;
    // `advanceBlock` requires a target behind the current document, so postings that stand there
    // already are taken as they are.
    if (!this.isExhausted && postings.docId() >= target) return this.take(postings.docId());
    if (this.isExhausted || !postings.advanceBlock(target) || !this.fill()) return this.end();
    const { docs } = this;
    let at = 0;
    while ((docs[at] as number) < target) at += 1;
    this.at = at;
    return docs[at] as number;
  }

  /**
   * `seek` without decoding a block: the target is far behind the last one, and its neighbours are
   * not wanted.
   */
  visit(target: number): number {
    if (this.at < this.length) {
      const { docs, length } = this;
      if ((docs[length - 1] as number) >= target) {
        // A binary search: visits are far apart, also within a block.
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
    if (this.isExhausted) return this.end();
    const { postings } = this;
    return this.take(postings.docId() >= target ? postings.docId() : postings.advance(target));
  }

  /** Makes the document on which the postings stand the current one, with no others behind it. */
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

  /** Leaves no current document. `jump` and `visit` call it again on later moves. */
  private end(): number {
    this.isExhausted = true;
    this.at = 0;
    this.length = 0;
    return NO_MORE_DOCS;
  }

  /**
   * Frequency of the term in `doc`, 0 if it is missing. Documents ascend from call to call unless
   * the segment keeps a column.
   */
  freqIn(doc: number): number {
    if (this.column !== undefined) return this.column[doc] as number;
    return this.visit(doc) === doc ? (this.freqs[this.at] as number) : 0;
  }

  /** Score of the term in `doc`, where it occurs `freq` times. */
  scoreOf(doc: number, freq: number): number {
    return this.bm25.score(freq, this.norms === undefined ? 1 : (this.norms[doc] as number));
  }

  /** Score of the term in the current document. */
  score(): number {
    const doc = this.docs[this.at] as number;
    return this.bm25.score(
      this.freqs[this.at] as number,
      this.norms === undefined ? 1 : (this.norms[doc] as number),
    );
  }

  /**
   * The first document number of [from, to) from which on a block with a score above `score` is
   * met; `to` if there is none. Blocks before it need not be decoded.
   */
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

  /**
   * Index of the first decoded document at or after `target`, searched from the current one;
   * `length` if all lie before it.
   */
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

  /**
   * Upper bound of the term's scores in [from, to), from the impacts of all blocks that overlap it;
   * 0 if the term has no document there. `shallowAdvance` never moves back, so ranges ascend.
   */
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
