/**
 * Weights whose hits all score alike, from per-segment sets of documents. A set says what it is cheap at: listing, testing,
 * counting; the rest follows.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import { BATCH, emptyWords, popCount } from "../bits.ts";
import type { BatchSource, DocFilter, Scorer } from "../../language/scorer.ts";
import type { Budget } from "../../work/budget.ts";
import type { SegmentContext } from "../../language/searcher.ts";
import { AllScorer, BitScorer, ListScorer, TestScorer } from "./cursors.ts";
import { bitFilter, testFilter } from "./filters.ts";
import { acceptFilters, countOf } from "./term.ts";
import type { Weight } from "../../language/weight.ts";

export type SegmentSet =
  | { readonly kind: "all" }
  | { readonly kind: "bits"; readonly words: Int32Array; readonly count?: number | undefined }
  /** Ascending. */
  | { readonly kind: "list"; readonly docs: Int32Array }
  | TestSet;

export interface TestSet {
  readonly kind: "test";
  readonly test: (doc: number) => boolean;
  /** A faster form of `test` over many. */
  readonly filter?: DocFilter | undefined;
  /** Writes the matching documents of [from, to) to `into`; returns how many. */
  readonly scan?: ((from: number, to: number, into: Int32Array) => number) | undefined;
  /** Estimated matches. */
  readonly cost: number;
  /** Exactly how many documents match, deleted ones included; `undefined`: unknown. */
  readonly count?: number | undefined;
}

/** `open` is asked at most once per segment. `undefined`: nothing matches there. */
export function setWeight(
  score: number,
  open: (segment: SegmentContext) => SegmentSet | undefined,
): Weight {
  const opened = new Map<number, SegmentSet | undefined>();
  const setOf = (segment: SegmentContext): SegmentSet | undefined => {
    if (!opened.has(segment.ord)) opened.set(segment.ord, open(segment));
    return opened.get(segment.ord);
  };
  const boost = Math.fround(score);
  return {
    constantScore: boost,
    scorer: (segment) => {
      const set = setOf(segment);
      return set && scorerOf(set, segment, boost);
    },
    source: (segment) => {
      const set = setOf(segment);
      if (set === undefined) return undefined;
      if (set.kind === "test" && set.scan !== undefined)
        return new ScanSource(set.scan, segment, boost);
      if (set.kind === "all") return new BitsSource(segment.accept, segment.maxDoc, boost);
      if (set.kind === "bits")
        return new BitsSource(acceptedOf(set.words, segment.accept), segment.maxDoc, boost);
      return new ScorerSource(scorerOf(set, segment, boost), segment, {
        filters: [],
        score: boost,
      });
    },
    filter: (segment) => {
      const set = setOf(segment);
      return set && filterOf(set);
    },
    count: (segment) => {
      const set = setOf(segment);
      return set === undefined ? 0 : countSet(set, segment);
    },
  };
}

function scorerOf(set: SegmentSet, { maxDoc }: SegmentContext, score: number): Scorer {
  switch (set.kind) {
    case "all":
      return new AllScorer(maxDoc, score);
    case "bits":
      return new BitScorer(set.words, maxDoc, { score, cost: set.count ?? maxDoc });
    case "list":
      return new ListScorer(set.docs, score);
    case "test":
      return new TestScorer(maxDoc, set.test, { score, cost: set.cost });
  }
}

const keepAll: DocFilter = { cost: 0, keep: (_docs, _extra, count) => count };

function filterOf(set: SegmentSet): DocFilter {
  switch (set.kind) {
    case "all":
      return keepAll;
    case "bits":
      return bitFilter(set.words);
    case "list":
      return testFilter(listTest(set.docs));
    case "test":
      return set.filter ?? testFilter(set.test);
  }
}

function listTest(docs: Int32Array): (doc: number) => boolean {
  const scorer = new ListScorer(docs, 0);
  return (doc) => {
    if (scorer.doc() < doc) scorer.advance(doc);
    return scorer.doc() === doc;
  };
}

function countSet(set: SegmentSet, segment: SegmentContext): number {
  const { accept, maxDoc } = segment;
  switch (set.kind) {
    case "all":
      return accept === undefined ? maxDoc : popCount(accept);
    case "bits":
      return accept === undefined
        ? (set.count ?? popCount(set.words))
        : countBoth(set.words, accept);
    case "list":
      return countOf(segment, set.docs.length);
    case "test":
      return set.count === undefined ? -1 : countOf(segment, set.count);
  }
}

function countBoth(a: Int32Array, b: Int32Array): number {
  const both = emptyWords(a.length * 32);
  for (let i = 0; i < a.length; i += 1) both[i] = (a[i] as number) & (b[i] as number);
  return popCount(both);
}

function acceptedOf(words: Int32Array, accept: Int32Array | undefined): Int32Array {
  return accept === undefined ? words : words.map((word, i) => word & (accept[i] as number));
}

/** The set bits, in order; every document without `words`. */
class BitsSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(BATCH);
  readonly scores: Float32Array | undefined = new Float32Array(BATCH);
  private at = 0;
  private readonly words: Int32Array | undefined;
  private readonly maxDoc: number;

  constructor(words: Int32Array | undefined, maxDoc: number, score: number) {
    this.words = words;
    this.maxDoc = maxDoc;
    if (score !== 0) this.scores?.fill(score);
  }

  setMinScore(): void {}

  next(): number {
    return this.words === undefined ? this.nextRun() : this.nextBits(this.words);
  }

  private nextRun(): number {
    const { docs, at } = this;
    const count = Math.min(BATCH, this.maxDoc - at);
    for (let i = 0; i < count; i += 1) docs[i] = at + i;
    this.at = at + Math.max(0, count);
    return Math.max(0, count);
  }

  /** `at` counts words: a batch ends where the next word might not fit. */
  private nextBits(words: Int32Array): number {
    const { docs } = this;
    let count = 0;
    while (this.at < words.length && count <= BATCH - 32) {
      let word = words[this.at] as number;
      const base = this.at << 5;
      while (word !== 0) {
        const low = word & -word;
        word ^= low;
        docs[count] = base + 31 - Math.clz32(low);
        count += 1;
      }
      this.at += 1;
    }
    return count;
  }
}

class ScanSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(BATCH);
  readonly scores: Float32Array | undefined = new Float32Array(BATCH);
  private from = 0;
  private readonly scan: (from: number, to: number, into: Int32Array) => number;
  private readonly segment: SegmentContext;
  private readonly filters: readonly DocFilter[];

  constructor(
    scan: (from: number, to: number, into: Int32Array) => number,
    segment: SegmentContext,
    score: number,
  ) {
    this.scan = scan;
    this.segment = segment;
    this.filters = acceptFilters(segment);
    if (score !== 0) this.scores?.fill(score);
  }

  setMinScore(): void {}

  next(): number {
    const { maxDoc } = this.segment;
    while (this.from < maxDoc) {
      const to = Math.min(maxDoc, this.from + BATCH);
      let count = this.scan(this.from, to, this.docs);
      this.from = to;
      for (const filter of this.filters) count = filter.keep(this.docs, undefined, count);
      if (count > 0) return count;
    }
    return 0;
  }
}

export interface ScorerSourceOptions {
  /** Beyond the segment's accepted documents. */
  readonly filters: readonly DocFilter[];
  /** `undefined`: ask the scorer. */
  readonly score: number | undefined;
}

/** Batches from any cursor. */
export class ScorerSource implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined;
  private readonly scorer: Scorer;
  private readonly filters: readonly DocFilter[];
  private readonly fixedScore: number | undefined;
  private readonly budget: Budget;
  private minScore = 0;

  constructor(scorer: Scorer, segment: SegmentContext, options: ScorerSourceOptions) {
    const size = Math.max(1, Math.min(BATCH, scorer.cost));
    this.docs = new Int32Array(size);
    this.scores = new Float32Array(size);
    this.scorer = scorer;
    this.filters = [...acceptFilters(segment), ...options.filters];
    this.fixedScore = options.score;
    this.budget = segment.budget;
    if (options.score !== undefined) this.scores.fill(options.score);
  }

  setMinScore(score: number): void {
    this.minScore = score;
  }

  next(): number {
    const { scorer, docs, fixedScore, filters, budget } = this;
    const scores = this.scores as Float32Array;
    if (this.minScore > 0 && this.minScore >= scorer.maxScore) return 0;
    const extra = fixedScore === undefined ? new Int32Array(scores.buffer) : undefined;
    for (;;) {
      let count = 0;
      let doc = scorer.doc();
      while (count < docs.length && doc !== NO_MORE_DOCS) {
        doc = scorer.next();
        if (doc === NO_MORE_DOCS) break;
        if (!scorer.matches()) continue;
        docs[count] = doc;
        if (fixedScore === undefined) scores[count] = scorer.score();
        count += 1;
        // Documents that take much work come few at a time, with a rest after them.
        if (budget.isRestDue) break;
      }
      if (count === 0) return 0;
      for (const filter of filters) count = filter.keep(docs, extra, count);
      if (count > 0) return count;
    }
  }
}

/** Another source's documents that pass some filters. */
export class FilteredSource implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined;
  private readonly inner: BatchSource;
  private readonly filters: readonly DocFilter[];
  private readonly extra: Int32Array | undefined;

  constructor(inner: BatchSource, filters: readonly DocFilter[]) {
    this.inner = inner;
    this.filters = filters;
    this.docs = inner.docs;
    this.scores = inner.scores;
    this.extra = inner.scores === undefined ? undefined : new Int32Array(inner.scores.buffer);
  }

  setMinScore(score: number): void {
    this.inner.setMinScore(score);
  }

  next(): number {
    for (;;) {
      let count = this.inner.next();
      if (count === 0) return 0;
      for (const filter of this.filters) {
        count = filter.keep(this.docs, this.extra, count);
        if (count === 0) break;
      }
      if (count > 0) return count;
    }
  }
}

/** A score for hits that have none of their own. */
export class RescoredSource implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined;
  private readonly inner: BatchSource;

  constructor(inner: BatchSource, score: number) {
    this.inner = inner;
    this.docs = inner.docs;
    this.scores = new Float32Array(inner.docs.length).fill(score);
  }
  setMinScore(): void {}
  next(): number {
    return this.inner.next();
  }
}
