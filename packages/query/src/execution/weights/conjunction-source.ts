/**
 * A conjunction of terms in batches. The rarest term leads, as it bounds the number of hits:
 *
 * - its next block whose best score, with the best of all other terms, can reach the page is
 *   decoded;
 * - terms that have a column drop documents that lack them, with one byte read for each document;
 * - the other terms are merged with the documents left, or visited where they are far more
 *   frequent;
 * - scores are added up meanwhile, in double, by rising frequency.
 *
 * If every term has a column, words of 32 documents are intersected instead and nothing is decoded.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import type { BatchSource, DocFilter } from "../../language/scorer.ts";
import type { SegmentContext } from "../../language/searcher.ts";
import { ClauseCursor } from "./clause-cursor.ts";
import { acceptFilters, type TermScorer } from "./term.ts";

/**
 * A term this many times as frequent as the lead is visited document by document: nearly every
 * candidate would need a block of its own to be decoded.
 */
const SPARSE = 48;
/** Room for the batch: a block of the postings, or whole words of 32 documents. */
const BLOCK = 129;

/**
 * Batches of documents that have all of several terms. Each term exists in the segment; the caller
 * makes no source otherwise.
 */
export class ConjunctionSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(BLOCK);
  readonly scores: Float32Array | undefined = new Float32Array(BLOCK);
  private readonly lead: ClauseCursor;
  /** All terms but the lead by rising frequency. Scores are added in this order. */
  private readonly others: readonly ClauseCursor[];
  /** Columns of the other terms that have one, by rising frequency: the rarest drops most. */
  private readonly columns: readonly Uint8Array[];
  /** Bit sets of all terms; `undefined` if one of them has none. */
  private readonly bits: readonly Int32Array[] | undefined;
  /** Words of such a bit set. */
  private readonly words: number;
  private readonly needsScores: boolean;
  private readonly filters: readonly DocFilter[];
  /** Frequencies of the lead in `docs`, moved along with them until the lead is scored. */
  private readonly leadFreqs = new Int32Array(BLOCK);
  /**
   * Scores so far of `docs`. Doubles: adding in floats would round after each term, which Lucene
   * does not.
   */
  private readonly sums = new Float64Array(BLOCK);
  /** The scores as 32-bit words, for filters to move. */
  private readonly extra = new Int32Array((this.scores as Float32Array).buffer);
  /** Sum of the best scores of all terms but the lead in the whole segment. */
  private readonly othersMax: number;
  /** Next word of the bit sets. */
  private nextWord = 0;
  private minScore = 0;

  constructor(terms: readonly TermScorer[], segment: SegmentContext, needsScores: boolean) {
    const clauses = terms.map((term) => new ClauseCursor(term)).toSorted((a, b) => a.cost - b.cost);
    this.lead = clauses[0] as ClauseCursor;
    this.others = clauses.slice(1);
    this.columns = this.others.flatMap(({ column }) => column ?? []);
    const bits = clauses.flatMap((clause) => clause.bits ?? []);
    this.bits = bits.length === clauses.length ? bits : undefined;
    this.words = this.lead.bits?.length ?? 0;
    this.needsScores = needsScores;
    this.filters = acceptFilters(segment);
    this.othersMax = this.others.reduce((sum, { maxScore }) => sum + maxScore, 0);
  }

  setMinScore(score: number): void {
    this.minScore = score;
  }

  next(): number {
    for (;;) {
      let count = this.bits === undefined ? this.takeLead() : this.takeBits(this.bits);
      // A batch may become empty without the end being reached, so the end is -1 and emptiness only
      // continues the loop.
      if (count < 0) return 0;
      if (count > 0) count = this.scoreAll(count);
      if (count > 0 && this.needsScores) {
        const scores = this.scores as Float32Array;
        // Rounded to floats here, once, before filters move them.
        for (let i = 0; i < count; i += 1) scores[i] = this.sums[i] as number;
      }
      for (let i = 0; i < this.filters.length && count > 0; i += 1)
        count = (this.filters[i] as DocFilter).keep(this.docs, this.extra, count);
      if (count > 0) return count;
    }
  }

  /**
   * Intersects the next words of the bit sets and collects their documents with the lead's
   * frequencies; -1 at the end. No score bounds a word of documents, so `minScore` skips nothing
   * here.
   */
  private takeBits(all: readonly Int32Array[]): number {
    const { docs, leadFreqs, words } = this;
    const [first = docs] = all;
    const freqs = this.lead.column as Uint8Array;
    let count = 0;
    let at = this.nextWord;
    if (at >= words) return -1;
    for (; at < words && count <= BLOCK - 32; at += 1) {
      let word = first[at] as number;
      for (let i = 1; i < all.length; i += 1) word &= (all[i] as Int32Array)[at] as number;
      while (word !== 0) {
        const low = word & -word;
        word ^= low;
        const doc = (at << 5) + 31 - Math.clz32(low);
        docs[count] = doc;
        leadFreqs[count] = freqs[doc] as number;
        count += 1;
      }
    }
    this.nextWord = at;
    return count;
  }

  /**
   * Copies the lead's next block and drops documents that lack a term with a column; -1 at the end.
   */
  private takeLead(): number {
    if (!this.fillLead()) return -1;
    const { lead, docs, leadFreqs, columns } = this;
    const { at, length } = lead;
    let count = length - at;
    for (let i = 0; i < count; i += 1) {
      // Copied, because the postings reuse their arrays while `docs` is compacted.
      docs[i] = lead.docs[at + i] as number;
      leadFreqs[i] = lead.freqs[at + i] as number;
    }
    // The block is consumed; the next `seek` then looks behind it.
    lead.at = length;
    for (const column of columns) {
      let kept = 0;
      for (let i = 0; i < count; i += 1) {
        const doc = docs[i] as number;
        docs[kept] = doc;
        leadFreqs[kept] = leadFreqs[i] as number;
        kept += Number(column[doc] !== 0);
      }
      count = kept;
    }
    return count;
  }

  /**
   * Decodes the lead's next block in which a document can score above `minScore`; false at the end.
   */
  private fillLead(): boolean {
    const { lead } = this;
    if (lead.isExhausted) return false;
    if (this.minScore <= 0 || !this.needsScores) return lead.fill();
    const { postings } = lead;
    // The postings stand on the last document of the consumed block, so its successor lies in the
    // next one.
    const from = postings.docId() + 1;
    if (postings.docId() === NO_MORE_DOCS) return false;
    let target = from;
    let end = postings.shallowAdvance(target);
    while (
      end !== NO_MORE_DOCS &&
      // Rounded to a float as the documents' sums will be, since `minScore` is a float.
      Math.fround(postings.blockMaxScore(lead.bm25) + this.othersMax) <= this.minScore
    ) {
      target = end + 1;
      end = postings.shallowAdvance(target);
    }
    if (end === NO_MORE_DOCS) return false;
    // No block was skipped, and the next one follows by itself; `seek` looks one up.
    if (target === from) return lead.fill();
    return lead.seek(target) !== NO_MORE_DOCS;
  }

  /**
   * Adds up the scores and drops documents that lack one of the terms; returns how many are left.
   * The lead is scored first: `leadFreqs` is not compacted by `intersect`.
   */
  private scoreAll(taken: number): number {
    const { lead, others, needsScores } = this;
    let count = taken;
    if (needsScores) this.addScores(lead, this.leadFreqs, count);
    for (let i = 0; i < others.length && count > 0; i += 1) {
      const other = others[i] as ClauseCursor;
      if (other.column === undefined) count = this.intersect(other, count);
      else if (needsScores) this.addColumn(other, other.column, count);
    }
    return count;
  }

  /**
   * Starts the sums with the lead's scores. BM25 is written out, with the operations and roundings
   * of `bm25.score`.
   */
  private addScores({ bm25, norms }: ClauseCursor, freqs: Int32Array, count: number): void {
    const { docs, sums } = this;
    const { weight, normInverse } = bm25;
    const { fround } = Math;
    for (let i = 0; i < count; i += 1) {
      const norm = norms === undefined ? 1 : (norms[docs[i] as number] as number);
      const scaled = fround((freqs[i] as number) * (normInverse[norm] as number));
      sums[i] = fround(weight - fround(weight / fround(1 + scaled)));
    }
  }

  /** Adds the scores of a term with a column; `takeLead` has dropped the documents that lack it. */
  private addColumn({ bm25, norms }: ClauseCursor, freqs: Uint8Array, count: number): void {
    const { docs, sums } = this;
    const { weight, normInverse } = bm25;
    const { fround } = Math;
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      const norm = norms === undefined ? 1 : (norms[doc] as number);
      const scaled = fround((freqs[doc] as number) * (normInverse[norm] as number));
      sums[i] = (sums[i] as number) + fround(weight - fround(weight / fround(1 + scaled)));
    }
  }

  /** Keeps the documents that have the term and adds its score. */
  private intersect(other: ClauseCursor, count: number): number {
    const { docs, sums, needsScores } = this;
    const isSparse = other.cost > this.lead.cost * SPARSE;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      const at = isSparse ? other.visit(doc) : other.seek(doc);
      // No later document has the term, and the rest of the batch goes.
      if (at === NO_MORE_DOCS) break;
      if (at !== doc) continue;
      docs[kept] = doc;
      if (needsScores) sums[kept] = (sums[i] as number) + other.score();
      kept += 1;
    }
    return kept;
  }
}
