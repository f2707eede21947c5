/**
 * Exact phrases block by block. A block of the rarest term gives candidates with the positions
 * where the phrase may start; each further term, by rising frequency, drops candidates that lack it
 * and starts without it at its place. Starts that remain are the occurrences. For phrases without
 * slop with one term at each place; `phrase.ts` has the cursor for all others.
 */
import { NO_MORE_DOCS, type Bm25Scorer, type Postings } from "@orrery/segment";
import type { BatchSource, DocFilter } from "../../language/scorer.ts";

/** A term of the phrase with postings of its own. */
export interface PhraseTerm {
  /** Position of the term in the phrase. */
  readonly place: number;
  readonly postings: Postings;
}

/** Scoring and filtering of phrases. */
export interface PhraseSourceOptions {
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  /** Filters in the order in which they run. */
  readonly filters: readonly DocFilter[];
  readonly needsScores: boolean;
}

/** Documents in a block of the postings. */
const BLOCK = 128;

/**
 * Yields the documents with the phrase. Filters run before scoring: a filter that compacts the batch
 * of documents compacts their frequencies with it.
 */
export class PhraseSource implements BatchSource {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined = new Float32Array(BLOCK);
  private readonly lead: PartCursor;
  private readonly others: readonly PartCursor[];
  private readonly options: PhraseSourceOptions;
  private readonly candidates = new Candidates();
  private minScore = 0;

  constructor(terms: readonly PhraseTerm[], options: PhraseSourceOptions) {
    const parts = terms
      .map((term) => new PartCursor(term))
      .toSorted((a, b) => a.postings.docFreq - b.postings.docFreq);
    this.lead = parts[0] as PartCursor;
    this.others = parts.slice(1);
    this.options = options;
    this.docs = this.candidates.docs;
  }

  setMinScore(score: number): void {
    this.minScore = score;
  }

  next(): number {
    const { lead, others, candidates, options } = this;
    const { filters } = options;
    while (this.fillLead()) {
      candidates.take(lead);
      for (let i = 0; i < others.length && candidates.count > 0; i += 1)
        (others[i] as PartCursor).keepMatches(candidates);
      let { count } = candidates;
      if (count === 0) continue;
      // Before the filters, which compact `docs` but not `from` and `to`.
      const freqs = candidates.frequencies();
      for (let i = 0; i < filters.length && count > 0; i += 1)
        count = (filters[i] as DocFilter).keep(this.docs, freqs, count);
      if (count === 0) continue;
      if (options.needsScores)
        scorePhrases(this, freqs, { count, norms: options.norms, bm25: options.bm25 });
      return count;
    }
    return 0;
  }

  private fillLead(): boolean {
    const bm25 = this.options.needsScores ? this.options.bm25 : undefined;
    const { lead, minScore } = this;
    return lead.fill(nextCompetitiveBlock(lead.postings, bm25, { minScore, needsFreqs: true }));
  }
}

/**
 * Decodes the next block of the rarest term in which a document can score above `minScore`, and
 * returns its length; 0 at the end. A phrase is at most as frequent as its rarest term, so the
 * term's impacts, scored with the phrase's weight, bound the phrase's scores. Without `bm25` every
 * block is competitive.
 */
export function nextCompetitiveBlock(
  lead: Postings,
  bm25: Bm25Scorer | undefined,
  { minScore, needsFreqs }: { readonly minScore: number; readonly needsFreqs: boolean },
): number {
  if (minScore <= 0 || bm25 === undefined) return lead.nextBlock(needsFreqs);
  if (lead.docId() === NO_MORE_DOCS) return 0;
  const from = lead.docId() + 1;
  let target = from;
  let end = lead.shallowAdvance(target);
  while (end !== NO_MORE_DOCS && lead.blockMaxScore(bm25) <= minScore) {
    target = end + 1;
    end = lead.shallowAdvance(target);
  }
  if (end === NO_MORE_DOCS) return 0;
  if (target !== from && !lead.advanceBlock(target)) return 0;
  return lead.nextBlock(needsFreqs);
}

/** A batch of phrases to be scored. */
interface PhraseScores {
  readonly count: number;
  readonly norms: Uint8Array | undefined;
  readonly bm25: Bm25Scorer;
}

/** Scores the first `count` documents by the frequencies of the phrase in them. */
export function scorePhrases(
  { docs, scores }: Pick<BatchSource, "docs" | "scores">,
  freqs: Int32Array,
  { count, norms, bm25 }: PhraseScores,
): void {
  const target = scores as Float32Array;
  for (let i = 0; i < count; i += 1) {
    const norm = norms === undefined ? 1 : (norms[docs[i] as number] as number);
    target[i] = bm25.score(freqs[i] as number, norm);
  }
}

/**
 * Documents of the lead's block that may have the phrase. `starts[from[i]..to[i])` are the
 * positions where it may start in `docs[i]`: the position of a term less its place.
 */
class Candidates {
  readonly docs = new Int32Array(BLOCK);
  readonly from = new Int32Array(BLOCK);
  readonly to = new Int32Array(BLOCK);
  starts = new Int32Array(2 * BLOCK);
  count = 0;
  private readonly freqs = new Int32Array(BLOCK);

  /** Makes candidates of all documents of the block, with each position of the lead as a start. */
  take({ docs, offsets, positions, length, place }: PartCursor): void {
    const { from, to } = this;
    for (let i = 0; i < length; i += 1) {
      this.docs[i] = docs[i] as number;
      from[i] = offsets[i] as number;
      to[i] = offsets[i + 1] as number;
    }
    const total = offsets[length] as number;
    if (this.starts.length < total) this.starts = new Int32Array(2 * total);
    const { starts } = this;
    for (let i = 0; i < total; i += 1) starts[i] = (positions[i] as number) - place;
    this.count = length;
  }

  /** Number of starts left for each candidate: the frequency of the phrase. */
  frequencies(): Int32Array {
    const { from, to, freqs } = this;
    for (let i = 0; i < this.count; i += 1) freqs[i] = (to[i] as number) - (from[i] as number);
    return freqs;
  }
}

/**
 * Blocks whose documents span at most this many numbers are looked up in a table, others searched.
 */
const DENSE_RANGE = 4096;

/** One term of the phrase with its decoded block. */
class PartCursor {
  readonly place: number;
  readonly postings: Postings;
  docs: Int32Array = new Int32Array(0);
  /**
   * Positions of the block's documents, one document after the other: those of `docs[i]` are
   * `positions[offsets[i]..offsets[i + 1])`.
   */
  positions: Int32Array = new Int32Array(2 * BLOCK);
  readonly offsets: Int32Array = new Int32Array(BLOCK + 1);
  length = 0;
  /** Last document of the block; -1 before the first block, `NO_MORE_DOCS` past the end. */
  private last = -1;
  /**
   * Table of a dense block: 1 + the index of a document by its distance from the block's first, 0
   * for documents outside.
   */
  private slots = new Uint8Array(0);
  private isDense = false;
  /** Indices of the candidates that are in the block, and of the block's documents at `indices`. */
  private readonly matching = new Int32Array(BLOCK + 1);
  private readonly indices = new Int32Array(BLOCK + 1);

  constructor({ place, postings }: PhraseTerm) {
    this.place = place;
    this.postings = postings;
  }

  /**
   * Reads the positions of the block of `count` documents that the postings have just decoded;
   * false at the end.
   */
  fill(count: number): boolean {
    this.length = count;
    if (count === 0) {
      this.last = NO_MORE_DOCS;
      return false;
    }
    const { docs, freqs } = this.postings;
    const { offsets } = this;
    let total = 0;
    for (let i = 0; i < count; i += 1) {
      total += freqs[i] as number;
      offsets[i + 1] = total;
    }
    if (this.positions.length < total) this.positions = new Int32Array(2 * total);
    this.postings.readBlockPositions(this.positions);
    this.docs = docs;
    this.last = docs[count - 1] as number;
    return true;
  }

  /**
   * Drops the candidates without this term, and the starts without it at its place. Candidates
   * ascend, and each run of them that lies within one block is matched at once.
   */
  keepMatches(candidates: Candidates): void {
    const { docs, count } = candidates;
    let kept = 0;
    let keptStarts = 0;
    for (let i = 0; i < count;) {
      if ((docs[i] as number) > this.last && !this.enter(docs[i] as number)) break;
      const end = endOfRun(docs, i, count, this.last);
      const found = this.isDense ? this.lookUp(docs, i, end) : this.search(docs, i, end);
      for (let m = 0; m < found; m += 1) {
        // Kept starts are written over dropped ones: `keptStarts` never passes the starts that are
        // read.
        const starts = this.keepStarts(candidates, m, keptStarts);
        if (starts === keptStarts) continue;
        docs[kept] = docs[this.matching[m] as number] as number;
        candidates.from[kept] = keptStarts;
        candidates.to[kept] = starts;
        kept += 1;
        keptStarts = starts;
      }
      i = end;
    }
    candidates.count = kept;
  }

  /**
   * Decodes the block of the document; false past the end. The table is cleared by the documents of
   * the old block, which costs less than clearing all of it.
   */
  private enter(doc: number): boolean {
    if (this.isDense) this.setSlots(0);
    this.isDense = false;
    const isThere = this.postings.advanceBlock(doc);
    if (!this.fill(isThere ? this.postings.nextBlock() : 0)) return false;
    const range = this.last - (this.docs[0] as number) + 1;
    if (range > DENSE_RANGE) return true;
    this.isDense = true;
    if (this.slots.length < range) this.slots = new Uint8Array(Math.min(DENSE_RANGE, 2 * range));
    this.setSlots(1);
    return true;
  }

  /** Enters the block's documents into the table (1) or removes them (0). */
  private setSlots(isIn: 0 | 1): void {
    const { docs, slots, length } = this;
    const first = docs[0] as number;
    for (let i = 0; i < length; i += 1) slots[(docs[i] as number) - first] = Math.imul(i + 1, isIn);
  }

  /**
   * Matches candidates [from, to) by the table. No branch depends on the data: which documents
   * match cannot be predicted. `-slot >>> 31` is 1 for every slot but 0.
   */
  private lookUp(wanted: Int32Array, from: number, to: number): number {
    const { slots, matching, indices } = this;
    const first = this.docs[0] as number;
    let i = from;
    // Candidates before the block's first document would index the table with negative numbers.
    while (i < to && (wanted[i] as number) < first) i += 1;
    let found = 0;
    for (; i < to; i += 1) {
      const slot = slots[(wanted[i] as number) - first] as number;
      matching[found] = i;
      indices[found] = slot - 1;
      found += -slot >>> 31;
    }
    return found;
  }

  /** Matches candidates [from, to) by merging them with the block's documents. */
  private search(wanted: Int32Array, from: number, to: number): number {
    const { docs, matching, indices } = this;
    let found = 0;
    let at = 0;
    for (let i = from; i < to; i += 1) {
      const doc = wanted[i] as number;
      while ((docs[at] as number) < doc) at += 1;
      if (docs[at] !== doc) continue;
      matching[found] = i;
      indices[found] = at;
      found += 1;
    }
    return found;
  }

  /**
   * Copies the starts of the m-th match that have this term at its place to index `target` on;
   * returns the index behind them. Starts and positions both ascend.
   */
  private keepStarts({ starts, from, to }: Candidates, m: number, target: number): number {
    const { positions, offsets, place } = this;
    const i = this.matching[m] as number;
    const index = this.indices[m] as number;
    const end = offsets[index + 1] as number;
    const last = to[i] as number;
    let kept = target;
    let p = offsets[index] as number;
    for (let s = from[i] as number; s < last; s += 1) {
      const start = starts[s] as number;
      const wanted = start + place;
      while (p < end && (positions[p] as number) < wanted) p += 1;
      if (p === end) break;
      if (positions[p] !== wanted) continue;
      starts[kept] = start;
      kept += 1;
    }
    return kept;
  }
}

/** Index of the first of `docs[from..to)` that lies behind `last`. */
function endOfRun(docs: Int32Array, from: number, to: number, last: number): number {
  if ((docs[to - 1] as number) <= last) return to;
  let end = from;
  while ((docs[end] as number) <= last) end += 1;
  return end;
}
