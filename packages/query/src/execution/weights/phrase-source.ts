/**
 * Exact phrases block by block: documents that have all terms are found by looking decoded blocks up in each other, and their
 * positions are compared in place. For phrases without slop whose places have one term each; `phrase.ts` has the cursor for
 * all others.
 */
import { NO_MORE_DOCS, type Bm25Scorer, type Postings } from "@orrery/segment";
import type { BatchSource, DocFilter } from "../../language/scorer.ts";

export interface PhraseTerm {
  /** Place in the phrase. */
  readonly place: number;
  readonly postings: Postings;
}

export interface PhraseSourceOptions {
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  readonly filters: readonly DocFilter[];
  readonly needsScores: boolean;
}

const BLOCK = 128;

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
 * The next block of the rarest term with a document that could score more than `minScore`: a phrase is at most as frequent as that
 * term. 0 at the end. Without scores, every next block.
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

interface PhraseScores {
  readonly count: number;
  readonly norms: Uint8Array | undefined;
  readonly bm25: Bm25Scorer;
}

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

/** Documents of the lead's block that may match, each with the positions where the phrase may start: `starts[from..to)`. */
class Candidates {
  readonly docs = new Int32Array(BLOCK);
  readonly from = new Int32Array(BLOCK);
  readonly to = new Int32Array(BLOCK);
  starts = new Int32Array(2 * BLOCK);
  count = 0;
  private readonly freqs = new Int32Array(BLOCK);

  /** All documents of the block. */
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

  frequencies(): Int32Array {
    const { from, to, freqs } = this;
    for (let i = 0; i < this.count; i += 1) freqs[i] = (to[i] as number) - (from[i] as number);
    return freqs;
  }
}

/** Blocks whose documents lie within so many are looked up by a table, others by search. */
const DENSE_RANGE = 4096;

/** One term of the phrase: a decoded block. */
class PartCursor {
  readonly place: number;
  readonly postings: Postings;
  docs: Int32Array = new Int32Array(0);
  /** Of the block's documents, one after the other: those of `docs[i]` are `positions[offsets[i]..offsets[i + 1])`. */
  positions: Int32Array = new Int32Array(2 * BLOCK);
  readonly offsets: Int32Array = new Int32Array(BLOCK + 1);
  length = 0;
  private last = -1;
  /** By document, counted from the block's first: 1 + its index, 0 where there is none. Only of dense blocks. */
  private slots = new Uint8Array(0);
  private isDense = false;
  /** Candidates that are in the current block, and their indices there. */
  private readonly matching = new Int32Array(BLOCK + 1);
  private readonly indices = new Int32Array(BLOCK + 1);

  constructor({ place, postings }: PhraseTerm) {
    this.place = place;
    this.postings = postings;
  }

  /** Takes the block of so many documents that the postings have just decoded. */
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

  /** Drops the candidates without this term, and the starts without it at its place. */
  keepMatches(candidates: Candidates): void {
    const { docs, count } = candidates;
    let kept = 0;
    let keptStarts = 0;
    for (let i = 0; i < count;) {
      if ((docs[i] as number) > this.last && !this.enter(docs[i] as number)) break;
      const end = endOfRun(docs, i, count, this.last);
      const found = this.isDense ? this.lookUp(docs, i, end) : this.search(docs, i, end);
      for (let m = 0; m < found; m += 1) {
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

  /** To the block of the document; false past the end. */
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

  /** Enters the block's documents into the table, or (0) takes them out. */
  private setSlots(isIn: 0 | 1): void {
    const { docs, slots, length } = this;
    const first = docs[0] as number;
    for (let i = 0; i < length; i += 1) slots[(docs[i] as number) - first] = Math.imul(i + 1, isIn);
  }

  /** Free of branches that depend on the data: which documents match cannot be predicted. */
  private lookUp(wanted: Int32Array, from: number, to: number): number {
    const { slots, matching, indices } = this;
    const first = this.docs[0] as number;
    let i = from;
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

  /** Starts of the m-th match that have this term at its place, to `target` on; returns their end. */
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

/** The first of `docs[from..to)` behind `last`. */
function endOfRun(docs: Int32Array, from: number, to: number, last: number): number {
  if ((docs[to - 1] as number) <= last) return to;
  let end = from;
  while ((docs[end] as number) <= last) end += 1;
  return end;
}
