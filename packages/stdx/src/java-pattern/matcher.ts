/**
 * Runs a program over a text, backtracking in Java's order, so with the same matches, but never again from a split
 * and position from which all alternatives have failed: the time is bounded by splits times positions. A match that
 * depends on more than step and position (back references, `\G`) has no such memory; for these, and for large texts
 * and patterns, the number of steps is limited.
 */
import { illegalArgument } from "../problem.ts";
import { foldedSet, LINE_ENDS, rangeSet, WORD } from "./char-set.ts";
import type { Program, Step } from "./program.ts";
import type { Anchor } from "./syntax.ts";

const STEPS_BASE = 5_000_000;
const STEPS_PER_CHARACTER = 100;
/** Bits of failed splits; `STACK_MAX` are entries of the stack. */
const MARKS_MAX = 2 ** 28;
const STACK_MAX = 2 ** 24;

/**
 * Kinds of stack entries: an alternative to continue with, the former value of a slot, a split whose alternatives
 * have all failed.
 */
const ALTERNATIVE = 0;
const SLOT = 1;
const FAILED = 2;

const NO_END = -1;

interface Aim {
  /** The required end; `NO_END`: any. */
  readonly wantedEnd: number;
  /** Bits of failed splits; `undefined`: failures are not remembered. */
  readonly marks: Uint32Array | undefined;
}

/** The search for matches in one text. */
export class Matcher {
  /** Start and end of each group, the whole match first; -1: not matched. */
  readonly slots: Int32Array;
  private readonly program: Program;
  private readonly text: string;
  private readonly marks: Uint32Array | undefined;
  private stack: Int32Array = new Int32Array(96);
  private depth = 0;
  private stepsLeft: number;
  /** The end of the match before, where `\G` matches. */
  private lastEnd = 0;
  private readonly anyEnd: Aim;

  constructor(program: Program, text: string) {
    this.program = program;
    this.text = text;
    this.slots = new Int32Array(program.slotCount).fill(-1);
    this.stepsLeft = STEPS_BASE + STEPS_PER_CHARACTER * text.length;
    const bits = program.splitCount * (text.length + 1);
    if (bits > MARKS_MAX) throw tooMany();
    this.marks = program.hasMemory ? undefined : new Uint32Array((bits + 31) >>> 5);
    this.anyEnd = { wantedEnd: NO_END, marks: this.marks };
  }

  /** Whether a match starts at `from` or later; `slots` then has the first one. */
  find(from: number): boolean {
    for (let start = from; start <= this.text.length; start += 1) {
      if (this.matchAt(start, NO_END)) return true;
    }
    return false;
  }

  matchesWhole(): boolean {
    return this.matchAt(0, this.text.length);
  }

  private matchAt(start: number, wantedEnd: number): boolean {
    const end = this.run(0, start, { wantedEnd, marks: this.marks });
    if (end < 0) return false;
    this.depth = 0;
    this.slots[0] = start;
    this.slots[1] = end;
    return true;
  }

  /** Forgets a match but for its end. */
  reset(): void {
    this.lastEnd = this.slots[1] as number;
    this.slots.fill(-1);
  }

  /**
   * The end of the first match that begins at `from`; -1 with all slots restored. Entries of the way stay on the
   * stack, above `base`, so that the caller may undo them or keep them.
   */
  private run(firstStep: number, from: number, { wantedEnd, marks }: Aim): number {
    const { text, slots } = this;
    const { steps, splitCount } = this.program;
    const base = this.depth;
    let pc = firstStep;
    let at = from;
    for (;;) {
      this.stepsLeft -= 1;
      if (this.stepsLeft < 0) throw tooMany();
      const step = steps[pc] as Step;
      let isMatched = true;
      pc += 1;
      switch (step.op) {
        case "set": {
          const code = text.charCodeAt(at);
          if (code < 128) {
            isMatched = step.ascii[code] === 1;
            at += 1;
          } else {
            const whole = text.codePointAt(at);
            isMatched = whole !== undefined && step.set.has(whole);
            at += (whole ?? 0) > 0xffff ? 2 : 1;
          }
          break;
        }
        case "run": {
          const end = this.runOf(step, at);
          isMatched = end >= 0;
          at = end;
          break;
        }
        case "split": {
          if (marks !== undefined) {
            const mark = at * splitCount + step.number;
            if ((((marks[mark >>> 5] as number) >>> (mark & 31)) & 1) === 1) {
              isMatched = false;
              break;
            }
            // Pushed below the alternative, `FAILED` is reached only when the alternative has failed as well: then
            // the split has no match from here.
            this.push(FAILED, mark, 0);
          }
          this.push(ALTERNATIVE, step.second, at);
          pc = step.first;
          break;
        }
        case "jump":
          pc = step.to;
          break;
        case "save":
          this.push(SLOT, step.slot, slots[step.slot] as number);
          slots[step.slot] = at;
          break;
        case "leave-if-empty":
          if (slots[step.slot] === at) pc = step.to;
          break;
        case "anchor":
          isMatched = this.holds(step.anchor, step.isUnixLines, at);
          break;
        case "look": {
          isMatched = this.look(pc, at, step.isNegated);
          pc = step.after;
          break;
        }
        case "look-behind": {
          isMatched = this.lookBehind(pc, at, step);
          pc = step.after;
          break;
        }
        case "atomic": {
          const depth = this.depth;
          const end = this.run(pc, at, this.anyEnd);
          isMatched = end >= 0;
          if (isMatched) this.settle(depth);
          at = end;
          pc = step.after;
          break;
        }
        case "back-reference": {
          const end = this.repeated(step.group, step.fold, at);
          isMatched = end >= 0;
          at = end;
          break;
        }
        case "match":
          if (wantedEnd === NO_END || at === wantedEnd) return at;
          isMatched = false;
      }
      if (isMatched) continue;
      const alternative = this.backTo(base);
      if (alternative < 0) return -1;
      pc = this.stack[alternative + 1] as number;
      at = this.stack[alternative + 2] as number;
    }
  }

  /**
   * Pops entries down to the last alternative above `base`, restoring slots and recording failures. Returns its
   * position; -1: there is none.
   */
  private backTo(base: number): number {
    const { stack, slots, marks } = this;
    while (this.depth > base) {
      this.depth -= 3;
      const { depth } = this;
      const kind = stack[depth];
      const what = stack[depth + 1] as number;
      if (kind === ALTERNATIVE) return depth;
      if (kind === SLOT) slots[what] = stack[depth + 2] as number;
      else if (marks !== undefined)
        marks[what >>> 5] = (marks[what >>> 5] as number) | (1 << (what & 31));
    }
    return -1;
  }

  private push(kind: number, a: number, b: number): void {
    if (this.depth + 3 > this.stack.length) {
      if (this.stack.length >= STACK_MAX) throw tooMany();
      const larger = new Int32Array(this.stack.length * 2);
      larger.set(this.stack);
      this.stack = larger;
    }
    const { stack, depth } = this;
    stack[depth] = kind;
    stack[depth + 1] = a;
    stack[depth + 2] = b;
    this.depth = depth + 3;
  }

  /**
   * Drops the alternatives of a part that has matched: an atomic group or a look-around is not backtracked into.
   * Slots are still restored when its match is undone.
   */
  private settle(base: number): void {
    const { stack } = this;
    let kept = base;
    for (let i = base; i < this.depth; i += 3) {
      if (stack[i] !== SLOT) continue;
      stack.copyWithin(kept, i, i + 3);
      kept += 3;
    }
    this.depth = kept;
  }

  private undo(base: number): void {
    const { stack, slots } = this;
    while (this.depth > base) {
      this.depth -= 3;
      if (stack[this.depth] === SLOT)
        slots[stack[this.depth + 1] as number] = stack[this.depth + 2] as number;
    }
  }

  private look(pc: number, at: number, isNegated: boolean): boolean {
    const { depth } = this;
    const isFound = this.run(pc, at, this.anyEnd) >= 0;
    if (isFound) {
      if (isNegated) this.undo(depth);
      else this.settle(depth);
    }
    return isFound !== isNegated;
  }

  private lookBehind(
    pc: number,
    at: number,
    { min, max, isNegated }: Extract<Step, { op: "look-behind" }>,
  ): boolean {
    const { depth } = this;
    for (let length = min; length <= Math.min(max, at); length += 1) {
      // A failed split is known for one required end only, so nothing is remembered here.
      if (this.run(pc, at - length, { wantedEnd: at, marks: undefined }) < 0) continue;
      if (isNegated) this.undo(depth);
      else this.settle(depth);
      return !isNegated;
    }
    return isNegated;
  }

  private runOf(step: Extract<Step, { op: "run" }>, from: number): number {
    const { text } = this;
    const { ascii, set, min, max } = step;
    let at = from;
    let count = 0;
    while (count < max && at < text.length) {
      const code = text.charCodeAt(at);
      if (code < 128) {
        if (ascii[code] !== 1) break;
        at += 1;
      } else {
        const whole = text.codePointAt(at) as number;
        if (!set.has(whole)) break;
        at += whole > 0xffff ? 2 : 1;
      }
      count += 1;
    }
    // A character of a run costs less than a step.
    this.stepsLeft -= count >> 3;
    return count < min ? -1 : at;
  }

  private repeated(group: number, fold: "none" | "ascii" | "unicode", at: number): number {
    const start = this.slots[group * 2] ?? -1;
    const end = this.slots[group * 2 + 1] ?? -1;
    if (start < 0 || end < 0) return -1;
    const wanted = this.text.slice(start, end);
    this.stepsLeft -= wanted.length;
    const found = this.text.slice(at, at + wanted.length);
    if (found === wanted) return at + wanted.length;
    if (fold === "none" || found.length !== wanted.length) return -1;
    const isSame = [...wanted].every((letter, i) => {
      const code = letter.codePointAt(0) as number;
      const other = found.codePointAt(i) as number;
      return foldedSet(rangeSet(code, code), fold === "unicode").has(other);
    });
    return isSame ? at + wanted.length : -1;
  }

  private holds(anchor: Anchor, isUnixLines: boolean, at: number): boolean {
    const { text } = this;
    const { length } = text;
    switch (anchor) {
      case "text-start":
        return at === 0;
      case "text-end":
        return at === length;
      case "search-start":
        return at === this.lastEnd;
      case "line-start":
        return at < length && (at === 0 || this.isLineEnd(at - 1, isUnixLines, at));
      case "line-end":
        return at === length || this.isBeforeLineEnd(at, isUnixLines);
      case "last-line-end":
        if (at === length) return true;
        if (at === length - 2 && !isUnixLines) return text.startsWith("\r\n", at);
        return at === length - 1 && this.isBeforeLineEnd(at, isUnixLines);
      case "boundary":
        return this.isWord(at - 1) !== this.isWord(at);
      case "no-boundary":
        return this.isWord(at - 1) === this.isWord(at);
    }
  }

  /** `\r\n` is one line terminator: no line begins between the two. */
  private isLineEnd(at: number, isUnixLines: boolean, next: number): boolean {
    const code = this.text.charCodeAt(at);
    if (isUnixLines) return code === 10;
    return LINE_ENDS.has(code) && !(code === 13 && this.text.charCodeAt(next) === 10);
  }

  private isBeforeLineEnd(at: number, isUnixLines: boolean): boolean {
    const code = this.text.charCodeAt(at);
    if (isUnixLines) return code === 10;
    return LINE_ENDS.has(code) && !(code === 10 && this.text.charCodeAt(at - 1) === 13);
  }

  private isWord(at: number): boolean {
    return WORD.has(this.text.charCodeAt(at));
  }
}

function tooMany(): Error {
  return illegalArgument(
    "regular expression takes too many steps on a text: it has too many ways to match",
  );
}
