/**
 * A disjunction of terms in windows of documents. Source: Lucene's `MaxScoreBulkScorer` (MaxScore
 * of Turtle and Flood, with bounds for each window). For each window:
 *
 * - the terms are sorted by the best score that their blocks allow in it; the weakest, which even
 *   together cannot reach the page, are non-essential (`split` of them);
 * - the essential terms add their scores into slots of the window, or mark a bit if scores are not
 *   read;
 * - slots are read in document order, and non-essential terms are visited only for those that they
 *   can still lift onto the page.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import type { BatchSource, DocFilter } from "../../language/scorer.ts";
import type { SegmentContext } from "../../language/searcher.ts";
import { ClauseCursor } from "./clause-cursor.ts";
import { minFreqOver } from "./freq-bound.ts";
import { acceptFilters, type TermScorer } from "./term.ts";

/** Documents of a window: its sums take 32 kB, a usual first-level cache. */
const WINDOW = 4096;

/**
 * Size of the first window; each further one is twice as large, up to `WINDOW`. Its hits fill the
 * page and give later windows a score to beat.
 */
const FIRST_WINDOW = 512;

/**
 * Slots of a window. `sums` and `bits` are zero between windows: `emit` clears each slot that it
 * reads, skipped ones included.
 */
class Arrays {
  readonly docs = new Int32Array(WINDOW);
  readonly scores = new Float32Array(WINDOW);
  readonly sums = new Float64Array(WINDOW);
  readonly bits = new Int32Array(WINDOW >> 5);
}

/**
 * Arrays of sources that reached their end, and are therefore zero: allocating them costs more than
 * searching for a rare term. A source that is abandoned midway does not return its arrays, which
 * may hold sums.
 */
const unused: Arrays[] = [];
/** At most this many are kept. */
const UNUSED_LIMIT = 8;

/**
 * Batches of documents that have any of several terms: two at least, and each exists in the
 * segment.
 */
export class DisjunctionSource implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined;
  private readonly arrays = unused.pop() ?? new Arrays();
  /** By rising bound in the current window; in the query's order before the first score to beat. */
  private readonly clauses: ClauseCursor[];
  private readonly needsScores: boolean;
  private readonly filters: readonly DocFilter[];
  private readonly maxDoc: number;
  private readonly extra: Int32Array;
  /** First document behind the windows so far. */
  private base = 0;
  /** Size of the next window. */
  private size = FIRST_WINDOW;
  private minScore = 0;
  private isExhausted = false;

  constructor(terms: readonly TermScorer[], segment: SegmentContext, needsScores: boolean) {
    this.clauses = terms.map((term) => new ClauseCursor(term));
    this.needsScores = needsScores;
    this.filters = acceptFilters(segment);
    this.maxDoc = segment.maxDoc;
    this.docs = this.arrays.docs;
    this.scores = this.arrays.scores;
    this.extra = new Int32Array(this.arrays.scores.buffer);
  }

  setMinScore(score: number): void {
    this.minScore = score;
  }

  next(): number {
    while (!this.isExhausted) {
      const start = this.base < this.maxDoc ? this.firstDoc() : NO_MORE_DOCS;
      if (start === NO_MORE_DOCS) {
        this.isExhausted = true;
        // Keeps a later call from reading arrays that belong to another source by then.
        if (unused.length < UNUSED_LIMIT) unused.push(this.arrays);
        return 0;
      }
      const end = Math.min(this.maxDoc, start + this.size);
      this.size = Math.min(WINDOW, this.size * 2);
      const count = this.window(start, end);
      this.base = end;
      if (count > 0) return count;
    }
    return 0;
  }

  /**
   * The first document from `base` on that any term has: a window begins there, so that rare terms
   * do not cause empty windows.
   */
  private firstDoc(): number {
    let first = NO_MORE_DOCS;
    for (const clause of this.clauses) {
      if (clause.isExhausted && clause.at >= clause.length) continue;
      const doc = clause.seek(this.base);
      if (doc < first) first = doc;
    }
    return first;
  }

  /**
   * Collects one window; returns its number of hits. The score to beat is read here once: it
   * changes only between windows.
   */
  private window(start: number, end: number): number {
    const split = this.minScore > 0 && this.needsScores ? this.partition(start, end) : 0;
    const { clauses } = this;
    // All terms together cannot reach the page in this window.
    if (split === clauses.length) return 0;
    let count: number;
    if (split > 0 && split === clauses.length - 1) count = this.lead(start, end);
    else {
      for (let i = split; i < clauses.length; i += 1) {
        if (this.needsScores) this.accumulate(clauses[i] as ClauseCursor, start, end);
        else this.mark(clauses[i] as ClauseCursor, start, end);
      }
      count = this.emit(start, split);
    }
    for (const filter of this.filters) count = filter.keep(this.docs, this.extra, count);
    return count;
  }

  /**
   * Sorts the terms by their bounds in the window; returns how many of the weakest cannot reach the
   * page even together. A document of those alone is no hit, so they need not propose any.
   */
  private partition(start: number, end: number): number {
    for (const clause of this.clauses) clause.bound = clause.maxScoreIn(start, end);
    sortByBound(this.clauses);
    let sum = 0;
    let split = 0;
    for (const clause of this.clauses) {
      sum += clause.bound;
      // As a float, because sums of scores are rounded to floats before they are compared.
      if (Math.fround(sum) > this.minScore) break;
      split += 1;
    }
    return split;
  }

  /**
   * The window of a single essential term: no slots are needed, as its documents come in order. Its
   * blocks that cannot reach the page with all bounds of the others are skipped.
   */
  private lead(start: number, end: number): number {
    const { clauses, minScore } = this;
    const split = clauses.length - 1;
    const clause = clauses[split] as ClauseCursor;
    const { weight, normInverse } = clause.bm25;
    const { norms } = clause;
    const { fround } = Math;
    const outDocs = this.arrays.docs;
    const outScores = this.arrays.scores;
    const weakest = this.weakest(split);
    let count = 0;
    let target = start;
    for (;;) {
      target = clause.nextBlockOver(target, end, minScore - weakest);
      if (target >= end || clause.seek(target) >= end) return count;
      const { docs, freqs, length } = clause;
      const until = clause.placeOf(end);
      // The bound is that of the block which `nextBlockOver` chose and `seek` decoded; no other
      // block may be chosen in between.
      const minFreq = minFreqOver(clause, minScore - weakest);
      for (let { at } = clause; at < until; at += 1) {
        const freq = freqs[at] as number;
        if (freq < minFreq) continue;
        const doc = docs[at] as number;
        const norm = norms === undefined ? 1 : (norms[doc] as number);
        const scaled = fround(freq * (normInverse[norm] as number));
        // Rounded explicitly: the sum is a double, unlike a store to a float array.
        const score = fround(weight - fround(weight / fround(1 + scaled)));
        if (score + weakest <= minScore) continue;
        const sum = this.addWeak(doc, score, split);
        // Written in any case, counted only if the sum reaches the page.
        outDocs[count] = doc;
        outScores[count] = sum;
        if (sum > minScore) count += 1;
      }
      clause.at = until;
      // The block reaches beyond the window; its rest is decoded already and stays for the next
      // one.
      if (until < length) return count;
      target = (docs[length - 1] as number) + 1;
    }
  }

  /** Sum of the bounds of the non-essential terms: the most that they add to a document. */
  private weakest(split: number): number {
    let sum = 0;
    for (let i = 0; i < split; i += 1) sum += (this.clauses[i] as ClauseCursor).bound;
    return sum;
  }

  /**
   * Adds a term's scores in [start, end) to the slots. Terms run one after the other, not document
   * by document: each loop reads one array in order.
   */
  private accumulate(clause: ClauseCursor, start: number, end: number): void {
    const { sums, bits } = this.arrays;
    const { weight, normInverse } = clause.bm25;
    const { norms } = clause;
    const { fround } = Math;
    if (clause.seek(start) >= end) return;
    for (;;) {
      let { at } = clause;
      const { docs, freqs } = clause;
      const { length } = clause;
      for (; at < length; at += 1) {
        const doc = docs[at] as number;
        if (doc >= end) break;
        const norm = norms === undefined ? 1 : (norms[doc] as number);
        const scaled = fround((freqs[at] as number) * (normInverse[norm] as number));
        const slot = doc - start;
        bits[slot >> 5] = (bits[slot >> 5] as number) | (1 << (slot & 31));
        // The bit marks a hit separately from its sum, as a score may be 0.
        sums[slot] = (sums[slot] as number) + fround(weight - fround(weight / fround(1 + scaled)));
      }
      clause.at = at;
      if (at < length || !clause.fill()) return;
    }
  }

  /** `accumulate` without scores: sets the bits of the term's documents. */
  private mark(clause: ClauseCursor, start: number, end: number): void {
    const { bits } = this.arrays;
    if (clause.seek(start) >= end) return;
    for (;;) {
      let { at } = clause;
      const { docs } = clause;
      const { length } = clause;
      for (; at < length; at += 1) {
        const doc = docs[at] as number;
        if (doc >= end) break;
        const slot = doc - start;
        bits[slot >> 5] = (bits[slot >> 5] as number) | (1 << (slot & 31));
      }
      clause.at = at;
      if (at < length || !clause.fill()) return;
    }
  }

  /**
   * Reads the slots in document order and clears them. A document is a hit if its sum, with all
   * that the non-essential terms can add, exceeds the score to beat.
   */
  private emit(start: number, split: number): number {
    const { minScore } = this;
    const { bits, sums, docs, scores } = this.arrays;
    let count = 0;
    const weakest = this.weakest(split);
    for (let wordAt = 0; wordAt < bits.length; wordAt += 1) {
      let word = bits[wordAt] as number;
      if (word === 0) continue;
      // Cleared before anything can skip the document: the next window relies on zeros.
      bits[wordAt] = 0;
      while (word !== 0) {
        const low = word & -word;
        word ^= low;
        const slot = (wordAt << 5) + 31 - Math.clz32(low);
        const sum = sums[slot] as number;
        sums[slot] = 0;
        // Hits may score 0, and while there is no score to beat they come, too.
        if (minScore > 0 && sum + weakest <= minScore) continue;
        const doc = start + slot;
        docs[count] = doc;
        scores[count] = split === 0 ? sum : this.addWeak(doc, sum, split);
        count += 1;
      }
    }
    return count;
  }

  /** Adds the scores of the non-essential terms that the document has, the strongest first. */
  private addWeak(doc: number, sum: number, split: number): number {
    let total = sum;
    for (let i = split - 1; i >= 0; i -= 1) {
      const clause = this.clauses[i] as ClauseCursor;
      const freq = clause.freqIn(doc);
      if (freq > 0) total += clause.scoreOf(doc, freq);
    }
    return total;
  }
}

/** Clauses that are sorted by insertion. */
const FEW_CLAUSES = 16;

/**
 * Sorts by rising bound; equal ones keep their order, so that sums are added in the same order on
 * every machine. Few clauses are nearly sorted from the window before, where insertion is linear.
 */
function sortByBound(clauses: ClauseCursor[]): void {
  if (clauses.length > FEW_CLAUSES) {
    clauses.sort((a, b) => a.bound - b.bound);
    return;
  }
  for (let i = 1; i < clauses.length; i += 1) {
    const clause = clauses[i] as ClauseCursor;
    let to = i;
    for (; to > 0 && (clauses[to - 1] as ClauseCursor).bound > clause.bound; to -= 1)
      clauses[to] = clauses[to - 1] as ClauseCursor;
    clauses[to] = clause;
  }
}
