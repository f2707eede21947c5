/**
 * All of some terms. The rarest leads block by block; frequent ones, of which the segment keeps the frequencies by document, only
 * sift its documents, and the others are merged in, or visited where they lie far apart. Where the segment keeps all of them, their
 * bits are intersected, 32 documents at a time. Only documents with all terms are scored.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import type { BatchSource, DocFilter } from "../../language/scorer.ts";
import type { SegmentContext } from "../../language/searcher.ts";
import { ClauseCursor } from "./clause-cursor.ts";
import { acceptFilters, type TermScorer } from "./term.ts";

/** A term this many times as frequent as the lead is visited, not merged. */
const SPARSE = 48;
const BLOCK = 129;

export class ConjunctionSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(BLOCK);
  readonly scores: Float32Array | undefined = new Float32Array(BLOCK);
  private readonly lead: ClauseCursor;
  /** By rising frequency: scores are added up in this order. */
  private readonly others: readonly ClauseCursor[];
  private readonly columns: readonly Uint8Array[];
  /** Of all terms; `undefined` where one of them is not kept. */
  private readonly bits: readonly Int32Array[] | undefined;
  private readonly words: number;
  private readonly needsScores: boolean;
  private readonly filters: readonly DocFilter[];
  private readonly leadFreqs = new Int32Array(BLOCK);
  private readonly sums = new Float64Array(BLOCK);
  private readonly extra = new Int32Array((this.scores as Float32Array).buffer);
  private readonly othersMax: number;
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
      if (count < 0) return 0;
      if (count > 0) count = this.scoreAll(count);
      if (count > 0 && this.needsScores) {
        const scores = this.scores as Float32Array;
        for (let i = 0; i < count; i += 1) scores[i] = this.sums[i] as number;
      }
      for (let i = 0; i < this.filters.length && count > 0; i += 1)
        count = (this.filters[i] as DocFilter).keep(this.docs, this.extra, count);
      if (count > 0) return count;
    }
  }

  /** The next documents with all terms, with the lead's frequencies; -1 at the end. */
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

  /** The lead's next block, without documents that lack a term whose frequencies are kept; -1 at the end. */
  private takeLead(): number {
    if (!this.fillLead()) return -1;
    const { lead, docs, leadFreqs, columns } = this;
    const { at, length } = lead;
    let count = length - at;
    for (let i = 0; i < count; i += 1) {
      docs[i] = lead.docs[at + i] as number;
      leadFreqs[i] = lead.freqs[at + i] as number;
    }
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

  /** The lead's next block whose documents could reach the score to beat. */
  private fillLead(): boolean {
    const { lead } = this;
    if (lead.isOver) return false;
    if (this.minScore <= 0 || !this.needsScores) return lead.fill();
    const { postings } = lead;
    const from = postings.docId() + 1;
    if (postings.docId() === NO_MORE_DOCS) return false;
    let target = from;
    let end = postings.shallowAdvance(target);
    while (
      end !== NO_MORE_DOCS &&
      Math.fround(postings.blockMaxScore(lead.bm25) + this.othersMax) <= this.minScore
    ) {
      target = end + 1;
      end = postings.shallowAdvance(target);
    }
    if (end === NO_MORE_DOCS) return false;
    if (target === from) return lead.fill();
    return lead.seek(target) !== NO_MORE_DOCS;
  }

  /** Adds up the scores of documents of the lead; those without one of the other terms go. */
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

  /** The first ones of the sums. */
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

  private intersect(other: ClauseCursor, count: number): number {
    const { docs, sums, needsScores } = this;
    const isSparse = other.cost > this.lead.cost * SPARSE;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      const at = isSparse ? other.visit(doc) : other.seek(doc);
      if (at === NO_MORE_DOCS) break;
      if (at !== doc) continue;
      docs[kept] = doc;
      if (needsScores) sums[kept] = (sums[i] as number) + other.score();
      kept += 1;
    }
    return kept;
  }
}
