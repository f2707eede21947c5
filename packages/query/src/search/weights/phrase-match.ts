/** How often a phrase occurs in a document. Source: Lucene's `ExactPhraseMatcher`, `SloppyPhraseMatcher`. */
import type { Postings } from "@orrery/segment";

export interface PhrasePart {
  /** Place in the phrase. */
  readonly position: number;
  /** Alternatives at this place. */
  readonly postings: readonly Postings[];
  positions: Int32Array;
  count: number;
}

export function exactFrequency(parts: readonly PhrasePart[]): number {
  const lead = parts[0] as PhrasePart;
  if (parts.length === 1) return lead.count;
  if (parts.length === 2) return pairFrequency(lead, parts[1] as PhrasePart);
  const at = new Int32Array(parts.length);
  let frequency = 0;
  for (let i = 0; i < lead.count; i += 1) {
    const start = (lead.positions[i] as number) - lead.position;
    let isMatch = true;
    for (let p = 1; p < parts.length; p += 1) {
      const part = parts[p] as PhrasePart;
      const wanted = start + part.position;
      let index = at[p] as number;
      while (index < part.count && (part.positions[index] as number) < wanted) index += 1;
      at[p] = index;
      if (index === part.count) return frequency;
      if (part.positions[index] !== wanted) {
        isMatch = false;
        break;
      }
    }
    if (isMatch) frequency += 1;
  }
  return frequency;
}

function pairFrequency(lead: PhrasePart, other: PhrasePart): number {
  const distance = other.position - lead.position;
  const { positions, count } = other;
  let frequency = 0;
  let index = 0;
  for (let i = 0; i < lead.count; i += 1) {
    const wanted = (lead.positions[i] as number) + distance;
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
export function sloppyFrequency(parts: readonly PhrasePart[], slop: number): number {
  const { length } = parts;
  if (length === 1) return (parts[0] as PhrasePart).count;
  const at = new Int32Array(length);
  const shifted = (p: number): number => {
    const part = parts[p] as PhrasePart;
    return (part.positions[at[p] as number] as number) - part.position;
  };
  const groups = repeatGroups(parts);
  if (!separate(parts, at, groups)) return 0;
  let end = -Infinity;
  for (let p = 0; p < length; p += 1) end = Math.max(end, shifted(p));
  let frequency = 0;
  for (;;) {
    const lead = smallest(parts, at);
    const start = shifted(lead);
    let matchLength = end - start;
    const next = secondSmallest(parts, at, lead);
    let isOver = false;
    for (;;) {
      at[lead] = (at[lead] as number) + 1;
      if (at[lead] >= (parts[lead] as PhrasePart).count) {
        isOver = true;
        break;
      }
      if (!separateOne(parts, at, { part: lead, groups })) {
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
    const part = parts[p] as PhrasePart;
    const value = (part.positions[at[p] as number] as number) - part.position;
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
    const part = parts[p] as PhrasePart;
    best = Math.min(best, (part.positions[at[p] as number] as number) - part.position);
  }
  return best;
}

/** Parts that share a term: one occurrence must not serve two of them. */
function repeatGroups(parts: readonly PhrasePart[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (let a = 0; a < parts.length; a += 1) {
    for (let b = a + 1; b < parts.length; b += 1) {
      if (!overlap(parts[a] as PhrasePart, parts[b] as PhrasePart)) continue;
      const group = groups.find((members) => members.includes(a)) ?? [];
      if (group.length === 0) groups.push(group);
      if (!group.includes(a)) group.push(a);
      if (!group.includes(b)) group.push(b);
    }
  }
  return groups;
}

function overlap(a: PhrasePart, b: PhrasePart): boolean {
  for (let i = 0; i < a.count; i += 1) {
    for (let j = 0; j < b.count; j += 1) if (a.positions[i] === b.positions[j]) return true;
  }
  return false;
}

function separate(
  parts: readonly PhrasePart[],
  at: Int32Array,
  groups: readonly (readonly number[])[],
): boolean {
  for (const group of groups) {
    for (const part of group) if (!separateOne(parts, at, { part, groups: [group] })) return false;
  }
  return true;
}

/** Moves the part on while it stands where another of its group stands. */
function separateOne(
  parts: readonly PhrasePart[],
  at: Int32Array,
  { part, groups }: { readonly part: number; readonly groups: readonly (readonly number[])[] },
): boolean {
  const group = groups.find((members) => members.includes(part));
  if (group === undefined) return true;
  const own = parts[part] as PhrasePart;
  const isTaken = (): boolean =>
    group.some(
      (other) =>
        other !== part &&
        (parts[other] as PhrasePart).positions[at[other] as number] ===
          own.positions[at[part] as number],
    );
  while (isTaken()) {
    at[part] = (at[part] as number) + 1;
    if (at[part] >= own.count) return false;
  }
  return true;
}
