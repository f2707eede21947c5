/**
 * The frequency of a phrase within a slop: each arrangement of its words that is at most `slop`
 * moves from the phrase counts 1 / (1 + moves). Source: Lucene's `SloppyPhraseMatcher`.
 *
 * Shifted positions, which are positions less the place in the phrase, would all be equal in an
 * exact match. The part with the smallest one steps; the distance from it to the largest is the
 * number of moves.
 *
 * INV: parts that share a term never stand at the same position, since one word serves one part.
 */
import type { DocumentWork, PhrasePart } from "./phrase-match.ts";

/** Parts that share a term, by their indices in the phrase, ascending. */
export interface RepeatGroup {
  readonly parts: readonly number[];
  /**
   * Some part of the phrase's groups has several terms, so that equal parts need not have equal
   * first positions.
   */
  readonly hasAlternatives: boolean;
}

/**
 * The groups of a phrase in a segment. Parts are joined transitively: two parts are in one group if
 * a chain of shared terms links them.
 */
export function repeatGroups(parts: readonly PhrasePart[]): readonly RepeatGroup[] {
  const groups: Set<number>[] = [];
  const ofTerm = new Map<number, Set<number>>();
  parts.forEach(({ words }, part) => {
    const group = new Set([part]);
    for (const ord of words.ords) {
      const other = ofTerm.get(ord);
      if (other !== undefined) for (const member of other) group.add(member);
    }
    for (const member of group)
      for (const ord of (parts[member] as PhrasePart).words.ords) ofTerm.set(ord, group);
    groups.push(group);
  });
  const repeats = [...new Set(ofTerm.values())].filter((group) => group.size > 1);
  const hasAlternatives = repeats.some((group) =>
    [...group].some((part) => (parts[part] as PhrasePart).words.ords.length > 1),
  );
  return repeats.map((group) => ({ parts: [...group].toSorted((a, b) => a - b), hasAlternatives }));
}

/** Options of a match within a slop. */
export interface SloppyOptions {
  /** The parts of the phrase that share terms in this segment (`repeatGroups`). */
  readonly groups: readonly RepeatGroup[];
  /** The greatest number of moves. */
  readonly slop: number;
  readonly work: DocumentWork;
}

/**
 * The frequency in the document whose positions are loaded. A match is counted when its leading
 * part passes the second smallest: until then stepping the lead only makes the match shorter, and
 * the shortest is the one that counts.
 */
export function sloppyFrequency(
  parts: readonly PhrasePart[],
  { groups, slop, work }: SloppyOptions,
): number {
  if (parts.length === 1) return (parts[0] as PhrasePart).words.count;
  const walk = new SloppyWalk(parts, groups, work);
  if (!walk.begin()) return 0;
  let frequency = 0;
  let lead = walk.smallest();
  let next = walk.smallest(lead);
  let matchLength = walk.end - walk.shifted(lead);
  let limit = walk.shifted(next);
  const count = (): void => {
    if (matchLength <= slop)
      // Java adds these weights in floats.
      frequency = Math.fround(frequency + Math.fround(1 / (1 + matchLength)));
  };
  while (walk.step(lead)) {
    if (walk.shifted(lead) > limit) {
      count();
      lead = walk.smallest();
      next = walk.smallest(lead);
      limit = walk.shifted(next);
      matchLength = walk.end - walk.shifted(lead);
    } else {
      matchLength = Math.min(matchLength, walk.end - walk.shifted(lead));
    }
  }
  count();
  return frequency;
}

/** The parts at their current positions in one document. */
class SloppyWalk {
  /**
   * The largest shifted position that any part has reached. It never falls, as in Lucene, even when
   * the part that reached it steps.
   */
  end = -Infinity;
  private readonly parts: readonly PhrasePart[];
  private readonly groups: readonly RepeatGroup[];
  private readonly groupOf: readonly (RepeatGroup | undefined)[];
  private readonly work: DocumentWork;
  /** Index of the current position by part. */
  private readonly at: Int32Array;

  constructor(parts: readonly PhrasePart[], groups: readonly RepeatGroup[], work: DocumentWork) {
    this.parts = parts;
    this.groups = groups;
    this.work = work;
    this.at = new Int32Array(parts.length);
    const groupOf = Array.from<RepeatGroup | undefined>({ length: parts.length });
    for (const group of groups) for (const part of group.parts) groupOf[part] = group;
    this.groupOf = groupOf;
  }

  /** Position of the part less its place in the phrase. */
  shifted(part: number): number {
    return this.position(part) - (this.parts[part] as PhrasePart).position;
  }

  /**
   * Places the parts at their first positions and separates those that share terms; false if a part
   * has too few positions.
   */
  begin(): boolean {
    for (const group of this.groups) if (!this.separate(group)) return false;
    for (let part = 0; part < this.parts.length; part += 1)
      this.end = Math.max(this.end, this.shifted(part));
    return true;
  }

  /** The part with the smallest shifted position, `except` left out; of equal ones the first. */
  smallest(except = -1): number {
    this.work.compare(this.parts.length);
    let best = -1;
    let bestValue = Infinity;
    for (let part = 0; part < this.parts.length; part += 1) {
      if (part === except) continue;
      const value = this.shifted(part);
      if (value >= bestValue) continue;
      bestValue = value;
      best = part;
    }
    return best;
  }

  /**
   * Moves the part to its next position, and then the lesser of any two parts that collide until
   * none do; false if a part has no further position.
   */
  step(part: number): boolean {
    if (!this.advance(part)) return false;
    const group = this.groupOf[part];
    if (group === undefined) return true;
    let moved = part;
    for (;;) {
      const other = this.collision(moved, group);
      if (other === undefined) return true;
      moved = this.lesser(moved, other);
      if (!this.advance(moved)) return false;
    }
  }

  private position(part: number): number {
    return (this.parts[part] as PhrasePart).words.positions[this.at[part] as number] as number;
  }

  /** Moves one part; false at its last position. */
  private advance(part: number): boolean {
    const next = (this.at[part] as number) + 1;
    if (next >= (this.parts[part] as PhrasePart).words.count) return false;
    this.at[part] = next;
    this.end = Math.max(this.end, this.shifted(part));
    return true;
  }

  /**
   * Parts with one equal term start at the same position: the first stays, the second moves once,
   * the third twice.
   */
  private separate({ parts, hasAlternatives }: RepeatGroup): boolean {
    if (hasAlternatives) return this.separateAlternatives(parts);
    for (const [steps, part] of parts.entries()) {
      if (steps >= (this.parts[part] as PhrasePart).words.count) return false;
      this.at[part] = steps;
    }
    return true;
  }

  /** Parts with several terms may start anywhere, so each is moved until it collides with none. */
  private separateAlternatives(parts: readonly number[]): boolean {
    const group = { parts, hasAlternatives: true };
    for (let i = 0; i < parts.length;) {
      const part = parts[i] as number;
      i += 1;
      for (;;) {
        const other = this.collision(part, group);
        if (other === undefined) break;
        const moved = this.lesser(part, other);
        if (!this.advance(moved)) return false;
        // An earlier part that moved may collide with others now, so this part is examined again
        // from the start.
        if (moved >= part) continue;
        // An earlier part moved: this one is looked at again.
        i -= 1;
        break;
      }
    }
    return true;
  }

  /** Another part of the group at the same position; `undefined`: none. */
  private collision(part: number, { parts }: RepeatGroup): number | undefined {
    this.work.compare(parts.length);
    const own = this.position(part);
    for (const other of parts) if (other !== part && this.position(other) === own) return other;
    return undefined;
  }

  /**
   * Of two parts at the same position the one with the smaller shifted position, then place: it
   * moves.
   */
  private lesser(one: number, other: number): number {
    return this.shifted(one) < this.shifted(other) ||
      (this.shifted(one) === this.shifted(other) && one < other)
      ? one
      : other;
  }
}
