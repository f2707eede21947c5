/**
 * Positions of a phrase's terms in one document, and the frequency of an exact phrase there.
 * Source: Lucene's `ExactPhraseMatcher`. Work on long documents is charged to the budget.
 */
import type { Postings } from "@orrery/segment";
import type { Budget } from "../../work/budget.ts";

/**
 * The alternative terms of a place, with their positions in the current document. Places with equal
 * terms share one.
 */
export interface PhraseWords {
  readonly postings: readonly Postings[];
  /** Ordinals of the terms in the segment. */
  readonly ords: readonly number[];
  /** Positions of all terms, ascending, in `positions[0..count)`. */
  positions: Int32Array;
  count: number;
}

/** A place of the phrase. */
export interface PhrasePart {
  /** Position in the phrase. */
  readonly position: number;
  readonly words: PhraseWords;
}

/**
 * Comparisons that are not charged: most documents take fewer, and charging each would cost more
 * than comparing.
 */
const COMPARED_COUNTED = 4096;

/** Positions compared in the time of one step of the budget. */
const COMPARED_A_STEP = 4;

/** Work on one document, charged to the budget while it runs if there is much of it. */
export class DocumentWork {
  private compared = 0;
  private readonly budget: Budget;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  /** Begins the next document; uncharged work of the last one is forgotten. */
  start(): void {
    this.compared = 0;
  }

  /**
   * Counts compared positions.
   * @throws OperationError 429 if the budget is exhausted
   */
  compare(count: number): void {
    this.compared += count;
    if (this.compared < COMPARED_COUNTED) return;
    this.budget.step(Math.floor(this.compared / COMPARED_A_STEP));
    this.compared = 0;
  }
}

/**
 * Reads the positions that the terms have in `doc`. The postings of each term that the document
 * contains must stand on it. Positions of several terms are merged by sorting.
 */
export function loadPositions(words: PhraseWords, doc: number): void {
  words.count = 0;
  let sources = 0;
  for (const postings of words.postings) {
    if (postings.docId() !== doc) continue;
    appendPositions(words, postings);
    sources += 1;
  }
  if (sources > 1) words.positions.subarray(0, words.count).sort();
}

/** Appends the positions of one term; the array grows and is kept for the next document. */
function appendPositions(words: PhraseWords, postings: Postings): void {
  const freq = postings.freq();
  if (words.positions.length < words.count + freq) {
    const larger = new Int32Array((words.count + freq) * 2);
    larger.set(words.positions.subarray(0, words.count));
    words.positions = larger;
  }
  words.count += postings.readPositions(
    words.count === 0 ? words.positions : words.positions.subarray(words.count),
  );
}

/**
 * Number of starts at which every part has its term. Each position of the first part gives a start;
 * the other parts' cursors only move forward, as starts ascend. The first part without further
 * positions ends the count.
 */
export function exactFrequency(parts: readonly PhrasePart[], work: DocumentWork): number {
  const lead = parts[0] as PhrasePart;
  if (parts.length === 1) return lead.words.count;
  if (parts.length === 2) return pairFrequency(lead, parts[1] as PhrasePart);
  const at = new Int32Array(parts.length);
  let frequency = 0;
  for (let i = 0; i < lead.words.count; i += 1) {
    const start = (lead.words.positions[i] as number) - lead.position;
    let isMatch = true;
    let p = 1;
    for (; p < parts.length; p += 1) {
      const { words, position } = parts[p] as PhrasePart;
      const wanted = start + position;
      let index = at[p] as number;
      while (index < words.count && (words.positions[index] as number) < wanted) index += 1;
      at[p] = index;
      if (index === words.count) return frequency;
      if (words.positions[index] !== wanted) {
        isMatch = false;
        break;
      }
    }
    work.compare(p);
    if (isMatch) frequency += 1;
  }
  return frequency;
}

/** `exactFrequency` for two parts, the most frequent case, without cursors in an array. */
function pairFrequency(lead: PhrasePart, other: PhrasePart): number {
  const distance = other.position - lead.position;
  const { positions, count } = other.words;
  let frequency = 0;
  let index = 0;
  for (let i = 0; i < lead.words.count; i += 1) {
    const wanted = (lead.words.positions[i] as number) + distance;
    while (index < count && (positions[index] as number) < wanted) index += 1;
    if (index === count) return frequency;
    if (positions[index] === wanted) frequency += 1;
  }
  return frequency;
}
