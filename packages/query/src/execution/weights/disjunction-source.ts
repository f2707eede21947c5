/**
 * Any of some terms, window by window, as Lucene's `MaxScoreBulkScorer`: terms that cannot reach the score to beat, even
 * together, are only visited where another term already matched.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import type { BatchSource, DocFilter } from "../../language/scorer.ts";
import type { SegmentContext } from "../../language/searcher.ts";
import { ClauseCursor } from "./clause-cursor.ts";
import { minFreqOver } from "./freq-bound.ts";
import { acceptFilters, type TermScorer } from "./term.ts";

const WINDOW = 4096;

/** The first window: what it collects gives later ones a score to beat. */
const FIRST_WINDOW = 512;

/** What one window collects; `sums` and `bits` are zero between windows. */
class Arrays {
  readonly docs = new Int32Array(WINDOW);
  readonly scores = new Float32Array(WINDOW);
  readonly sums = new Float64Array(WINDOW);
  readonly bits = new Int32Array(WINDOW >> 5);
}

/** Of sources that have ended: fresh arrays of this size cost more than a rare term's search. */
const unused: Arrays[] = [];
const UNUSED_LIMIT = 8;

export class DisjunctionSource implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined;
  private readonly arrays = unused.pop() ?? new Arrays();
  private readonly clauses: ClauseCursor[];
  private readonly needsScores: boolean;
  private readonly filters: readonly DocFilter[];
  private readonly maxDoc: number;
  private readonly extra: Int32Array;
  private base = 0;
  private size = FIRST_WINDOW;
  private minScore = 0;
  private isOver = false;

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
    while (!this.isOver) {
      const start = this.base < this.maxDoc ? this.firstDoc() : NO_MORE_DOCS;
      if (start === NO_MORE_DOCS) {
        this.isOver = true;
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

  /** Where the next window starts: the first document any term has. */
  private firstDoc(): number {
    let first = NO_MORE_DOCS;
    for (const clause of this.clauses) {
      if (clause.isOver && clause.at >= clause.length) continue;
      const doc = clause.seek(this.base);
      if (doc < first) first = doc;
    }
    return first;
  }

  private window(start: number, end: number): number {
    const split = this.minScore > 0 && this.needsScores ? this.partition(start, end) : 0;
    const { clauses } = this;
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

  /** Orders clauses by their best score in the window; returns how many of the weakest cannot matter alone. */
  private partition(start: number, end: number): number {
    for (const clause of this.clauses) clause.bound = clause.maxScoreIn(start, end);
    sortByBound(this.clauses);
    let sum = 0;
    let split = 0;
    for (const clause of this.clauses) {
      sum += clause.bound;
      if (Math.fround(sum) > this.minScore) break;
      split += 1;
    }
    return split;
  }

  /** A window in which one clause alone matters: blocks of it whose best score is not enough with all others' are passed over. */
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
      const minFreq = minFreqOver(clause, minScore - weakest);
      for (let { at } = clause; at < until; at += 1) {
        const freq = freqs[at] as number;
        if (freq < minFreq) continue;
        const doc = docs[at] as number;
        const norm = norms === undefined ? 1 : (norms[doc] as number);
        const scaled = fround(freq * (normInverse[norm] as number));
        const score = fround(weight - fround(weight / fround(1 + scaled)));
        if (score + weakest <= minScore) continue;
        const sum = this.addWeak(doc, score, split);
        outDocs[count] = doc;
        outScores[count] = sum;
        if (sum > minScore) count += 1;
      }
      clause.at = until;
      if (until < length) return count;
      target = (docs[length - 1] as number) + 1;
    }
  }

  /** The greatest sum of scores that the clauses before `split` add in the window. */
  private weakest(split: number): number {
    let sum = 0;
    for (let i = 0; i < split; i += 1) sum += (this.clauses[i] as ClauseCursor).bound;
    return sum;
  }

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
        sums[slot] = (sums[slot] as number) + fround(weight - fround(weight / fround(1 + scaled)));
      }
      clause.at = at;
      if (at < length || !clause.fill()) return;
    }
  }

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

  /** Reads the window out, asking the weak clauses where they can still make a difference. */
  private emit(start: number, split: number): number {
    const { minScore } = this;
    const { bits, sums, docs, scores } = this.arrays;
    let count = 0;
    const weakest = this.weakest(split);
    for (let wordAt = 0; wordAt < bits.length; wordAt += 1) {
      let word = bits[wordAt] as number;
      if (word === 0) continue;
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

const FEW_CLAUSES = 16;

/** Few are mostly in order already from the window before. Equal ones keep their order. */
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
