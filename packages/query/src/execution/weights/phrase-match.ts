/** How often a phrase occurs in a document. Source: Lucene's `ExactPhraseMatcher`, `SloppyPhraseMatcher`. */
import type { Postings } from "@orrery/segment";
import type { Budget } from "../../work/budget.ts";

/** Terms that may stand at a place, and where they stand in the current document. Places with equal terms share them. */
export interface PhraseWords {
  readonly postings: readonly Postings[];
  positions: Int32Array;
  count: number;
}

export interface PhrasePart {
  /** Place in the phrase. */
  readonly position: number;
  readonly words: PhraseWords;
}

/** Documents that take less work than this count for nothing. */
const COMPARED_COUNTED = 4096;

/** Positions compared in the time of a step. */
const COMPARED_A_STEP = 4;

/** Work on one document, taken from the budget where there is much of it. */
export class DocumentWork {
  private compared = 0;
  private readonly budget: Budget;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  /** The next document. */
  start(): void {
    this.compared = 0;
  }

  /** Positions that are compared. */
  compare(count: number): void {
    this.compared += count;
    if (this.compared < COMPARED_COUNTED) return;
    this.budget.step(Math.floor(this.compared / COMPARED_A_STEP));
    this.compared = 0;
  }
}

/** All positions of the terms in the document, ascending. */
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

/**
 * Each way to place the terms so that they are at most `slop` moves from the phrase counts 1 / (1 + moves). Walks the parts'
 * positions, shifted by their place, always stepping the smallest; the width of the window is the number of moves.
 */
export function sloppyFrequency(
  parts: readonly PhrasePart[],
  slop: number,
  work: DocumentWork,
): number {
  const { length } = parts;
  if (length === 1) return (parts[0] as PhrasePart).words.count;
  const at = new Int32Array(length);
  const shifted = (p: number): number => {
    const { words, position } = parts[p] as PhrasePart;
    return (words.positions[at[p] as number] as number) - position;
  };
  const groups = repeatGroups(parts, work);
  const places = groups.length === 0 ? undefined : placesOf(parts, at, groups);
  if (places !== undefined && !separate(places, groups, work)) return 0;
  let end = -Infinity;
  for (let p = 0; p < length; p += 1) end = Math.max(end, shifted(p));
  let frequency = 0;
  for (;;) {
    work.compare(length);
    const lead = smallest(parts, at);
    const start = shifted(lead);
    let matchLength = end - start;
    const next = secondSmallest(parts, at, lead);
    let isOver = false;
    for (;;) {
      at[lead] = (at[lead] as number) + 1;
      if (at[lead] >= (parts[lead] as PhrasePart).words.count) {
        isOver = true;
        break;
      }
      if (places !== undefined && !separateOne(places, { part: lead, work })) {
        isOver = true;
        break;
      }
      const moved = shifted(lead);
      if (moved > next) break;
      matchLength = Math.min(matchLength, end - moved);
    }
    if (matchLength <= slop)
      frequency = Math.fround(frequency + Math.fround(1 / (1 + matchLength)));
    if (isOver) return frequency;
    end = Math.max(end, shifted(lead));
  }
}

function smallest(parts: readonly PhrasePart[], at: Int32Array): number {
  let best = 0;
  let bestValue = Infinity;
  for (let p = 0; p < parts.length; p += 1) {
    const { words, position } = parts[p] as PhrasePart;
    const value = (words.positions[at[p] as number] as number) - position;
    if (value < bestValue) {
      bestValue = value;
      best = p;
    }
  }
  return best;
}

function secondSmallest(parts: readonly PhrasePart[], at: Int32Array, lead: number): number {
  let best = Infinity;
  for (let p = 0; p < parts.length; p += 1) {
    if (p === lead) continue;
    const { words, position } = parts[p] as PhrasePart;
    best = Math.min(best, (words.positions[at[p] as number] as number) - position);
  }
  return best;
}

interface Places {
  readonly parts: readonly PhrasePart[];
  /** By part: index of its position. */
  readonly at: Int32Array;
  /** By part: the first group it is in. */
  readonly groupOf: readonly (Group | undefined)[];
}

/** Parts that share a term: one occurrence must not serve two of them. */
type Group = ReadonlySet<number>;

function repeatGroups(parts: readonly PhrasePart[], work: DocumentWork): readonly Group[] {
  const groups: Set<number>[] = [];
  for (let a = 0; a < parts.length; a += 1) {
    let group: Set<number> | undefined;
    for (let b = a + 1; b < parts.length; b += 1) {
      if (!overlap((parts[a] as PhrasePart).words, (parts[b] as PhrasePart).words, work)) continue;
      group ??= groups.find((members) => members.has(a));
      if (group === undefined) {
        group = new Set();
        groups.push(group);
      }
      group.add(a).add(b);
    }
  }
  return groups;
}

function overlap(a: PhraseWords, b: PhraseWords, work: DocumentWork): boolean {
  if (a === b) return a.count > 0;
  let i = 0;
  let j = 0;
  let isShared = false;
  while (i < a.count && j < b.count && !isShared) {
    const difference = (a.positions[i] as number) - (b.positions[j] as number);
    if (difference === 0) isShared = true;
    else if (difference < 0) i += 1;
    else j += 1;
  }
  work.compare(1 + i + j);
  return isShared;
}

function placesOf(parts: readonly PhrasePart[], at: Int32Array, groups: readonly Group[]): Places {
  const groupOf = Array.from<Group | undefined>({ length: parts.length });
  for (const group of groups.toReversed()) for (const part of group) groupOf[part] = group;
  return { parts, at, groupOf };
}

function separate(places: Places, groups: readonly Group[], work: DocumentWork): boolean {
  for (const group of groups) {
    for (const part of group) if (!separateOne(places, { part, group, work })) return false;
  }
  return true;
}

interface Moved {
  readonly part: number;
  /** Default: the part's first. */
  readonly group?: Group | undefined;
  readonly work: DocumentWork;
}

/** Moves the part on while it stands where another of its group stands. */
function separateOne({ parts, at, groupOf }: Places, { part, group: given, work }: Moved): boolean {
  const group = given ?? groupOf[part];
  if (group === undefined) return true;
  const { words } = parts[part] as PhrasePart;
  const isTaken = (): boolean => {
    const own = words.positions[at[part] as number];
    work.compare(group.size);
    for (const other of group) {
      if (other === part) continue;
      if ((parts[other] as PhrasePart).words.positions[at[other] as number] === own) return true;
    }
    return false;
  };
  while (isTaken()) {
    at[part] = (at[part] as number) + 1;
    if (at[part] >= words.count) return false;
  }
  return true;
}
