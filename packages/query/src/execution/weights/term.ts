/** One term by BM25, block by block; and terms whose hits all score alike. */
import {
  BLOCK_SIZE,
  NO_MORE_DOCS,
  type Bm25Scorer,
  type Postings,
  type SegmentReader,
} from "@orrery/segment";
import type { TermPlan } from "../../language/plan.ts";
import type { BatchSource, DocFilter, Scorer } from "../../language/scorer.ts";
import type { Searcher, SegmentContext, TermStatistics } from "../../language/searcher.ts";
import { denseTermOf, type DenseTerm } from "./dense-terms.ts";
import { bitFilter, scorerFilter } from "./filters.ts";
import { minFreqOver } from "./freq-bound.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

export class TermScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  readonly postings: Postings;
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  readonly dense: DenseTerm | undefined;

  constructor(
    postings: Postings,
    bm25: Bm25Scorer,
    norms: Uint8Array | undefined,
    dense?: DenseTerm,
  ) {
    this.postings = postings;
    this.bm25 = bm25;
    this.norms = norms;
    this.dense = dense;
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
  /** `undefined`: the segment lacks the term. */
  postings(segment: SegmentContext): Postings | undefined;
  /** Its documents by document, where the segment keeps them. */
  dense(segment: SegmentContext): DenseTerm | undefined;
  termScorer(segment: SegmentContext): TermScorer | undefined;
  /** As `source`, of documents that pass the filters, too: others are not scored. */
  filteredSource(
    segment: SegmentContext,
    needsScores: boolean,
    filters: readonly DocFilter[],
  ): BatchSource | undefined;
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
  const asked = new Map<number, DenseTerm | undefined>();
  const dense = ({ reader, ord }: SegmentContext): DenseTerm | undefined => {
    // One search is one use of the term.
    if (!asked.has(ord)) {
      const terms = reader.terms(field);
      const found = statistics.ords[ord] as number;
      const isHere = terms !== undefined && found >= 0;
      asked.set(ord, isHere ? denseTermOf(reader, terms, found) : undefined);
    }
    return asked.get(ord);
  };
  const termScorer = (segment: SegmentContext): TermScorer | undefined => {
    const postings = postingsOf(segment);
    return postings && new TermScorer(postings, bm25, segment.reader.norms(field), dense(segment));
  };
  const filteredSource: TermWeight["filteredSource"] = (segment, needsScores, filters) => {
    const postings = postingsOf(segment);
    if (postings === undefined) return undefined;
    return new TermSource(postings, {
      bm25: needsScores ? bm25 : undefined,
      norms: segment.reader.norms(field),
      filters: [...acceptFilters(segment), ...filters],
      score: 0,
    });
  };
  return {
    constantScore: undefined,
    statistics,
    bm25,
    postings: postingsOf,
    dense,
    termScorer,
    scorer: termScorer,
    filteredSource,
    source: (segment, needsScores) => filteredSource(segment, needsScores, []),
    filter: (segment) => {
      const bits = dense(segment)?.bits;
      if (bits !== undefined) return bitFilter(bits);
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
  readonly docs: Int32Array = new Int32Array(BLOCK_SIZE);
  readonly scores: Float32Array | undefined;
  private readonly freqs = new Int32Array(BLOCK_SIZE);
  private readonly postings: Postings;
  private readonly options: TermSourceOptions;
  private minScore = 0;

  constructor(postings: Postings, options: TermSourceOptions) {
    this.postings = postings;
    this.options = options;
    this.scores = new Float32Array(BLOCK_SIZE);
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
    const { bm25, norms } = this.options;
    if (bm25 === undefined) {
      const count = postings.nextBlock(false);
      for (let i = 0; i < count; i += 1) docs[i] = postings.docs[i] as number;
      return count;
    }
    for (;;) {
      const minFreq = this.minScore > 0 ? this.skip(bm25, norms) : 0;
      const count = minFreq < 0 ? 0 : postings.nextBlock();
      if (count === 0) return 0;
      let kept = 0;
      for (let i = 0; i < count; i += 1) {
        const freq = postings.freqs[i] as number;
        docs[kept] = postings.docs[i] as number;
        freqs[kept] = freq;
        kept += Number(freq >= minFreq);
      }
      if (kept > 0) return kept;
    }
  }

  /** To the next block with a score to beat; returns how often the term occurs in its documents that matter, -1 at the end. */
  private skip(bm25: Bm25Scorer, norms: Uint8Array | undefined): number {
    const { postings, minScore } = this;
    const at = postings.docId();
    if (at === NO_MORE_DOCS) return -1;
    let target = at + 1;
    let end = postings.shallowAdvance(target);
    while (end !== NO_MORE_DOCS && postings.blockMaxScore(bm25) <= minScore) {
      target = end + 1;
      end = postings.shallowAdvance(target);
    }
    if (end === NO_MORE_DOCS) return -1;
    if (target > at + 1 && !postings.advanceBlock(target)) return -1;
    return minFreqOver({ postings, bm25, norms }, minScore);
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
