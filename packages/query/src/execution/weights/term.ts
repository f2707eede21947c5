/**
 * One term: a cursor scored by BM25, and a batch source that skips blocks which cannot reach the
 * page, by the impacts of each block (block-max indexes of Ding and Suel; Lucene's `ImpactsDISI`).
 * For each block the source
 * - chooses the next block whose best possible score exceeds the worst of the page, from impacts
 *   alone;
 * - decodes it and drops documents whose frequency is too low for that score;
 * - applies the filters, then scores what is left: a bit test is cheaper than BM25, and a filter
 *   may leave nothing to score.
 */
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

/** A cursor over the term's documents, for trees of clauses that no batch source covers. */
export class TermScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  /** Open postings, owned by this cursor. */
  readonly postings: Postings;
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  /** The term's documents and frequencies by document, where the segment keeps them. */
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

/**
 * The weight of one term. `bool` recognises it by `termScorer` and builds conjunctions and
 * disjunctions of terms from its postings instead of its cursor.
 */
export interface TermWeight extends Weight {
  readonly statistics: TermStatistics;
  readonly bm25: Bm25Scorer;
  /** New postings at their start; `undefined`: the segment lacks the term. */
  postings(segment: SegmentContext): Postings | undefined;
  /**
   * The term's documents as a column; `undefined` unless the segment keeps one. The first call for
   * a segment counts as one use of the term.
   */
  dense(segment: SegmentContext): DenseTerm | undefined;
  /** A new cursor with its type; `undefined`: the segment lacks the term. */
  termScorer(segment: SegmentContext): TermScorer | undefined;
  /**
   * `source` restricted to documents that pass the filters, which run before documents are scored.
   */
  filteredSource(
    segment: SegmentContext,
    needsScores: boolean,
    filters: readonly DocFilter[],
  ): BatchSource | undefined;
}

/**
 * The weight of a term. Its statistics are looked up once, for all segments; without scores no idf
 * is computed.
 */
export function termWeight(plan: TermPlan, searcher: Searcher, prepare: Prepare): TermWeight {
  const { field, term } = plan;
  const statistics = searcher.term(field, term);
  const docFreq = scoredDocFreq(plan, statistics);
  const idf = prepare.needsScores && docFreq > 0 ? searcher.idf(field, docFreq) : 0;
  const bm25 = searcher.scorer(field, idf, plan.boost);
  const postingsOf = ({ reader, ord }: SegmentContext): Postings | undefined => {
    const found = statistics.ords[ord] as number;
    return found < 0 ? undefined : reader.terms(field)?.postings(found);
  };
  const asked = new Map<number, DenseTerm | undefined>();
  const dense = ({ reader, ord }: SegmentContext): DenseTerm | undefined => {
    // Uses decide which terms keep a column. A search may open a term several times in a segment
    // (to count, to filter, to score) and still counts as one use.
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

/**
 * The document frequency by which the term is scored: that of all shards (dfs), or else the plan's,
 * or else the shard's own.
 */
export function scoredDocFreq(plan: TermPlan, statistics: TermStatistics): number {
  return statistics.isOverall ? statistics.docFreq : (plan.docFreq ?? statistics.docFreq);
}

/** Documents of the term in a segment, deleted ones included; 0 where it is missing. */
function postingsDocFreq(reader: SegmentReader, field: string, ord: number): number {
  return ord < 0 ? 0 : (reader.terms(field)?.docFreq(ord) ?? 0);
}

/**
 * A count of documents as the count of a segment's hits. Statistics include deleted and nested
 * documents, so they hold only where every document is accepted, or none matches; -1 elsewhere.
 */
export function countOf(segment: SegmentContext, count: number): number {
  return count === 0 || segment.accept === undefined ? count : -1;
}

/** The filter that drops deleted and nested documents; empty where every document is accepted. */
export function acceptFilters(segment: SegmentContext): DocFilter[] {
  return segment.accept === undefined ? [] : [bitFilter(segment.accept)];
}

/** How a `TermSource` scores and filters. */
export interface TermSourceOptions {
  /**
   * Scorer of the hits; `undefined`: every hit has the score `score`, and frequencies are not
   * decoded.
   */
  readonly bm25: Bm25Scorer | undefined;
  /** Norm byte of each document; `undefined`: the field has none, and norm 1 counts. */
  readonly norms: Uint8Array | undefined;
  /** Filters in the order in which they run. */
  readonly filters: readonly DocFilter[];
  readonly score: number;
}

/**
 * A term's documents by blocks of the postings. Between calls the postings stand on the last
 * document of the block that `next` returned.
 */
export class TermSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(BLOCK_SIZE);
  /** A store to this array rounds to a float, so `scoreAll` leaves out the last `Math.fround`. */
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

  /** The worst score of a full page; a document that only equals it loses, as it comes later. */
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

  /**
   * Decodes the next block that may hold a hit and drops documents whose frequency is too low;
   * returns how many are left, 0 at the end. A block is taken as soon as one document remains.
   */
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
        // Every document is written and only a competitive one advances `kept`: no branch, as
        // frequencies of neighbouring documents are unrelated and a branch would often be
        // mispredicted.
        docs[kept] = postings.docs[i] as number;
        freqs[kept] = freq;
        kept += Number(freq >= minFreq);
      }
      if (kept > 0) return kept;
    }
  }

  /**
   * Chooses the next block with a score above `minScore`. Returns the lowest frequency that can
   * reach such a score in it; -1 at the end.
   */
  private skip(bm25: Bm25Scorer, norms: Uint8Array | undefined): number {
    const { postings, minScore } = this;
    // The postings stand on the last document of the block before, so `at + 1` lies in the next
    // one. `shallowAdvance` reads only the block's impacts; nothing is decoded here.
    const at = postings.docId();
    if (at === NO_MORE_DOCS) return -1;
    let target = at + 1;
    let end = postings.shallowAdvance(target);
    while (end !== NO_MORE_DOCS && postings.blockMaxScore(bm25) <= minScore) {
      target = end + 1;
      end = postings.shallowAdvance(target);
    }
    if (end === NO_MORE_DOCS) return -1;
    // If no block was skipped, `nextBlock` continues by itself. `advanceBlock` would search for the
    // block that follows anyway.
    if (target > at + 1 && !postings.advanceBlock(target)) return -1;
    // Last, because it reads the impacts of the block that the loop above chose.
    return minFreqOver({ postings, bm25, norms }, minScore);
  }

  /**
   * `bm25.score` written out in the loop: the same operations in the same order, hence the same
   * floats, without a call for each document. Norms and inverse norms stay in registers.
   */
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
