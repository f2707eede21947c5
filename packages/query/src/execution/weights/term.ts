/** One term by BM25, block by block; and terms whose hits all score alike. */
import { NO_MORE_DOCS, type Bm25Scorer, type Postings, type SegmentReader } from "@orrery/segment";
import type { TermPlan } from "../../language/plan.ts";
import type { BatchSource, DocFilter, Scorer } from "../../language/scorer.ts";
import type { Searcher, SegmentContext, TermStatistics } from "../../language/searcher.ts";
import { bitFilter, scorerFilter } from "./filters.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

export class TermScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  readonly postings: Postings;
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;

  constructor(postings: Postings, bm25: Bm25Scorer, norms: Uint8Array | undefined) {
    this.postings = postings;
    this.bm25 = bm25;
    this.norms = norms;
    this.cost = postings.docFreq;
    this.maxScore = postings.maxScore(bm25);
  }
  doc(): number {
    return this.postings.docId();
  }
  next(): number {
    return this.postings.nextDoc();
  }
  advance(target: number): number {
    return this.postings.advance(target);
  }
  matches(): boolean {
    return true;
  }
  score(): number {
    const { postings, norms } = this;
    return this.bm25.score(
      postings.freq(),
      norms === undefined ? 1 : (norms[postings.docId()] as number),
    );
  }
}

export interface TermWeight extends Weight {
  readonly statistics: TermStatistics;
  readonly bm25: Bm25Scorer;
  termScorer(segment: SegmentContext): TermScorer | undefined;
}

export function termWeight(plan: TermPlan, searcher: Searcher, prepare: Prepare): TermWeight {
  const { field, term } = plan;
  const statistics = searcher.term(field, term);
  const docFreq = plan.docFreq ?? statistics.docFreq;
  const idf = prepare.needsScores && docFreq > 0 ? searcher.idf(field, docFreq) : 0;
  const bm25 = searcher.scorer(field, idf, plan.boost);
  const postingsOf = ({ reader, ord }: SegmentContext): Postings | undefined => {
    const found = statistics.ords[ord] as number;
    return found < 0 ? undefined : reader.terms(field)?.postings(found);
  };
  const termScorer = (segment: SegmentContext): TermScorer | undefined => {
    const postings = postingsOf(segment);
    return postings && new TermScorer(postings, bm25, segment.reader.norms(field));
  };
  return {
    constantScore: undefined,
    statistics,
    bm25,
    termScorer,
    scorer: termScorer,
    source: (segment, needsScores) => {
      const postings = postingsOf(segment);
      if (postings === undefined) return undefined;
      return new TermSource(postings, {
        bm25: needsScores ? bm25 : undefined,
        norms: segment.reader.norms(field),
        filters: acceptFilters(segment),
        score: 0,
      });
    },
    filter: (segment) => {
      const postings = postingsOf(segment);
      return postings && scorerFilter(new TermScorer(postings, bm25, undefined));
    },
    count: (segment) =>
      countOf(
        segment,
        postingsDocFreq(segment.reader, field, statistics.ords[segment.ord] as number),
      ),
  };
}

function postingsDocFreq(reader: SegmentReader, field: string, ord: number): number {
  return ord < 0 ? 0 : (reader.terms(field)?.docFreq(ord) ?? 0);
}

/** A count over all documents is one over accepted ones only when nothing is deleted or nested. */
export function countOf(segment: SegmentContext, count: number): number {
  return count === 0 || segment.accept === undefined ? count : -1;
}

export function acceptFilters(segment: SegmentContext): DocFilter[] {
  return segment.accept === undefined ? [] : [bitFilter(segment.accept)];
}

export interface TermSourceOptions {
  /** `undefined`: every hit scores `score`. */
  readonly bm25: Bm25Scorer | undefined;
  readonly norms: Uint8Array | undefined;
  readonly filters: readonly DocFilter[];
  readonly score: number;
}

/** A term's documents by blocks; blocks whose best score is not enough are passed over. */
export class TermSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(129);
  readonly scores: Float32Array | undefined;
  private readonly freqs = new Int32Array(129);
  private readonly postings: Postings;
  private readonly options: TermSourceOptions;
  private minScore = 0;

  constructor(postings: Postings, options: TermSourceOptions) {
    this.postings = postings;
    this.options = options;
    this.scores = new Float32Array(129);
    if (options.bm25 === undefined) this.scores.fill(options.score);
  }

  setMinScore(score: number): void {
    this.minScore = score;
  }

  next(): number {
    const { bm25, filters } = this.options;
    for (;;) {
      let count = this.fill();
      if (count === 0) return 0;
      const freqs = bm25 === undefined ? undefined : this.freqs;
      for (let i = 0; i < filters.length && count > 0; i += 1)
        count = (filters[i] as DocFilter).keep(this.docs, freqs, count);
      if (count === 0) continue;
      if (bm25 !== undefined) this.scoreAll(bm25, count);
      return count;
    }
  }

  /** The next block worth reading. */
  private fill(): number {
    const { postings, docs, freqs } = this;
    const { bm25 } = this.options;
    const isScored = bm25 !== undefined;
    let start = 0;
    if (this.minScore > 0 && isScored) {
      const at = postings.docId();
      if (at === NO_MORE_DOCS) return 0;
      let target = at + 1;
      let end = postings.shallowAdvance(target);
      while (end !== NO_MORE_DOCS && postings.blockMaxScore(bm25) <= this.minScore) {
        target = end + 1;
        end = postings.shallowAdvance(target);
      }
      if (end === NO_MORE_DOCS) return 0;
      if (target > at + 1) {
        const doc = postings.advance(target);
        if (doc === NO_MORE_DOCS) return 0;
        docs[0] = doc;
        freqs[0] = postings.freq();
        start = 1;
        if (doc === end) return 1;
      }
    }
    const count = postings.nextBlock();
    for (let i = 0; i < count; i += 1) docs[start + i] = postings.docs[i] as number;
    if (isScored) for (let i = 0; i < count; i += 1) freqs[start + i] = postings.freqs[i] as number;
    return start + count;
  }

  private scoreAll(bm25: Bm25Scorer, count: number): void {
    const { docs, freqs } = this;
    const scores = this.scores as Float32Array;
    const { norms } = this.options;
    const { weight, normInverse } = bm25;
    const { fround } = Math;
    for (let i = 0; i < count; i += 1) {
      const norm = norms === undefined ? 1 : (norms[docs[i] as number] as number);
      const scaled = fround((freqs[i] as number) * (normInverse[norm] as number));
      scores[i] = weight - fround(weight / fround(1 + scaled));
    }
  }
}
