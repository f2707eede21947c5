/**
 * Weights whose hits all score alike, made from one set of documents for each segment. A set has
 * the form that was cheapest to build; `setWeight` derives cursor, batches, filter and count from
 * whatever form it has. Here too are the sources that adapt other sources and cursors.
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

/**
 * The matching documents of a segment, deleted and nested ones included. `bits` with a `count`
 * knows its size.
 */
export type SegmentSet =
  | { readonly kind: "all" }
  | { readonly kind: "bits"; readonly words: Int32Array; readonly count?: number | undefined }
  /** Documents in ascending order, for sets that are small beside the segment. */
  | { readonly kind: "list"; readonly docs: Int32Array }
  | TestSet;

/** A set whose members are found by testing a column: nothing is built before the search runs. */
export interface TestSet {
  readonly kind: "test";
  readonly test: (doc: number) => boolean;
  /**
   * A test of whole batches, in one loop over typed arrays; `undefined`: `test` is called for each
   * document.
   */
  readonly filter?: DocFilter | undefined;
  /**
   * Writes the matching documents of [from, to), at most a batch, to the start of `into` and
   * returns their number; `undefined`: documents are tested one by one.
   */
  readonly scan?: ((from: number, to: number, into: Int32Array) => number) | undefined;
  /** Estimated number of matches. */
  readonly cost: number;
  /** Exact number of matches, deleted documents included; `undefined`: unknown. */
  readonly count?: number | undefined;
}

/**
 * The weight of a set of documents. `open` is called at most once for each segment, when it is
 * first needed: building a bit set may read many postings. `open` returns `undefined` for a segment
 * without a match.
 */
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
      // Deleted documents are masked out of bits 32 at a time; all other forms test them one by
      // one.
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

/** A filter that passes every document. */
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

/** Membership in a sorted list; batches ascend, so a cursor suffices. */
function listTest(docs: Int32Array): (doc: number) => boolean {
  const scorer = new ListScorer(docs, 0);
  return (doc) => {
    if (scorer.doc() < doc) scorer.advance(doc);
    return scorer.doc() === doc;
  };
}

/** Number of accepted members; -1 where each would have to be tested. */
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

/** Number of documents in both sets. */
function countBoth(a: Int32Array, b: Int32Array): number {
  const both = emptyWords(a.length * 32);
  for (let i = 0; i < a.length; i += 1) both[i] = (a[i] as number) & (b[i] as number);
  return popCount(both);
}

/** The accepted documents of a set. */
function acceptedOf(words: Int32Array, accept: Int32Array | undefined): Int32Array {
  return accept === undefined ? words : words.map((word, i) => word & (accept[i] as number));
}

/** The documents of a bit set in order; every document of the segment if `words` is `undefined`. */
class BitsSource implements BatchSource {
  readonly docs: Int32Array = new Int32Array(BATCH);
  readonly scores: Float32Array | undefined = new Float32Array(BATCH);
  /** Next document of a run, or next word of a bit set: a source is one or the other for good. */
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

  /** Whole words are read, so a batch ends while 32 more documents fit. */
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

/** Batches of a set that lists its members by ranges of documents. */
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

/** Options that a `ScorerSource` takes in addition to its cursor. */
export interface ScorerSourceOptions {
  /** Filters beside that of the segment's accepted documents. */
  readonly filters: readonly DocFilter[];
  /** One score for every hit; `undefined`: the cursor scores each. */
  readonly score: number | undefined;
}

/** Batches from a cursor, for queries that have no batches of their own. */
export class ScorerSource implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined;
  private readonly scorer: Scorer;
  private readonly filters: readonly DocFilter[];
  private readonly fixedScore: number | undefined;
  private readonly budget: Budget;
  private minScore = 0;

  constructor(scorer: Scorer, segment: SegmentContext, options: ScorerSourceOptions) {
    // A rare query gets short arrays: allocating a full batch costs more than finding a few
    // documents.
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
    // No document of this segment can enter the page any more.
    if (this.minScore > 0 && this.minScore >= scorer.maxScore) return 0;
    // Filters move scores along with documents as 32-bit words; their floats are never read there.
    const extra = fixedScore === undefined ? new Int32Array(scores.buffer) : undefined;
    for (;;) {
      let count = 0;
      let doc = scorer.doc();
      // A cursor past its end must not be moved again, hence the test of its document first.
      while (count < docs.length && doc !== NO_MORE_DOCS) {
        doc = scorer.next();
        if (doc === NO_MORE_DOCS) break;
        if (!scorer.matches()) continue;
        docs[count] = doc;
        if (fixedScore === undefined) scores[count] = scorer.score();
        count += 1;
        // A document that takes much work (a script, a long phrase) ends the batch, so that the
        // query phase can yield its turn and check for cancellation.
        if (budget.isRestDue) break;
      }
      if (count === 0) return 0;
      for (const filter of filters) count = filter.keep(docs, extra, count);
      if (count > 0) return count;
    }
  }
}

/**
 * The documents of another source that pass some filters. Scores move along with their documents.
 */
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

/**
 * Another source's documents with one score for each. The scores are filled in once: filters may
 * move them, but all are equal.
 */
export class ConstantScoreSource implements BatchSource {
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
