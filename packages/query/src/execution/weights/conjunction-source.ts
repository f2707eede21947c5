/** All of some terms: the rarest leads block by block, the others are merged in, or visited where they lie far apart. */
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
  private readonly others: readonly ClauseCursor[];
  private readonly needsScores: boolean;
  private readonly filters: readonly DocFilter[];
  private readonly sums = new Float64Array(BLOCK);
  private readonly extra = new Int32Array((this.scores as Float32Array).buffer);
  private readonly othersMax: number;
  private minScore = 0;

  constructor(terms: readonly TermScorer[], segment: SegmentContext, needsScores: boolean) {
    const clauses = terms.map((term) => new ClauseCursor(term)).toSorted((a, b) => a.cost - b.cost);
    this.lead = clauses[0] as ClauseCursor;
    this.others = clauses.slice(1);
    this.needsScores = needsScores;
    this.filters = acceptFilters(segment);
    this.othersMax = this.others.reduce((sum, { maxScore }) => sum + maxScore, 0);
  }

  setMinScore(score: number): void {
    this.minScore = score;
  }

  next(): number {
    for (;;) {
      if (!this.fillLead()) return 0;
      let count = this.takeLead();
      for (const other of this.others) {
        if (count === 0) break;
        count = this.intersect(other, count);
      }
      if (count === 0) continue;
      if (this.needsScores) {
        const scores = this.scores as Float32Array;
        for (let i = 0; i < count; i += 1) scores[i] = this.sums[i] as number;
      }
      for (const filter of this.filters) count = filter.keep(this.docs, this.extra, count);
      if (count > 0) return count;
    }
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

  private takeLead(): number {
    const { lead, docs, sums } = this;
    const count = lead.length - lead.at;
    const { weight, normInverse } = lead.bm25;
    const { norms } = lead;
    const { fround } = Math;
    for (let i = 0; i < count; i += 1) {
      const doc = lead.docs[lead.at + i] as number;
      docs[i] = doc;
      if (!this.needsScores) continue;
      const norm = norms === undefined ? 1 : (norms[doc] as number);
      const scaled = fround((lead.freqs[lead.at + i] as number) * (normInverse[norm] as number));
      sums[i] = fround(weight - fround(weight / fround(1 + scaled)));
    }
    lead.at = lead.length;
    return count;
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
