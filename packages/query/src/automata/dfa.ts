/**
 * Deterministic automata. Each state stands for a set of states of a nondeterministic automaton.
 *
 * All states are built before the first text is matched, within a limit, so that matching costs one
 * step per character. Source: `Operations.determinize`, `CharacterRunAutomaton`.
 */
import { OperationError } from "@orrery/stdx";
import { LAST_CODE_POINT, type Expression } from "./expression.ts";
import { nfaOf, TooLarge, type Nfa } from "./nfa.ts";

export interface Dfa {
  /** The longest start that all accepted texts are known to share. */
  readonly prefix: string;
  readonly accepts: (text: string) => boolean;
  /** Whether the first `length` bytes are an accepted text in UTF-8. */
  readonly acceptsUtf8: (bytes: Uint8Array, length: number) => boolean;
}

/** The product's default of `max_determinized_states`. */
export const DEFAULT_WORK_LIMIT = 10_000;
/**
 * The greatest limit a request can set. With a greater one, a single request could keep a shard
 * busy for seconds.
 */
const WORK_LIMIT_MAX = 50_000;
/** The limit of character ranges, counted over all states. */
const RANGES_MAX = 1_000_000;

/**
 * Compiles an expression to a deterministic automaton. `workLimit` is `max_determinized_states`;
 * values above 50,000 count as 50,000.
 * @throws OperationError `too_complex_to_determinize_exception`
 */
export function dfaOf(expression: Expression, workLimit: number = DEFAULT_WORK_LIMIT): Dfa {
  try {
    return new StateTable(new Determinization(nfaOf(expression), workLimit).run());
  } catch (error) {
    if (error instanceof TooLarge) throw tooComplex("too many", "too many", workLimit);
    throw error;
  }
}

function tooComplex(states: unknown, transitions: unknown, workLimit: number): OperationError {
  const reason = `Determinizing automaton with ${String(states)} states and ${String(transitions)} transitions would require more than ${workLimit} effort.`;
  return new OperationError({ type: "too_complex_to_determinize_exception", reason, status: 500 });
}

interface State {
  /** Triples of first and last code point and the next state, ascending. */
  readonly steps: number[];
  /** True if a text may end here. */
  readonly isAccepted: boolean;
}

/** The subset construction. */
class Determinization {
  private readonly nfa: Nfa;
  private readonly workLimit: number;
  /** By state, the round that visited it last, which avoids clearing a set of visited states. */
  private readonly seen: Int32Array;
  private round = 0;
  /** The indices of `sets`, by their states joined with commas. */
  private readonly known = new Map<string, number>();
  private readonly sets: (readonly number[])[] = [];
  private rangeCount = 0;

  constructor(nfa: Nfa, workLimit: number) {
    this.nfa = nfa;
    this.workLimit = workLimit;
    this.seen = new Int32Array(nfa.edges.length);
  }

  run(): State[] {
    const effortMax = Math.min(this.workLimit, WORK_LIMIT_MAX) * 10;
    const states: State[] = [];
    let effort = 0;
    this.setOf([this.nfa.start]);
    for (let i = 0; i < this.sets.length; i += 1) {
      const set = this.sets[i] as readonly number[];
      effort += set.length;
      if (effort >= effortMax || this.rangeCount > RANGES_MAX) throw this.refusal();
      states.push({ steps: this.stepsOf(set), isAccepted: set.includes(this.nfa.end) });
    }
    return states;
  }

  private refusal(): OperationError {
    const { edges, end } = this.nfa;
    const states = edges.filter((list, i) => list.length > 0 || i === end).length;
    const transitions = edges.reduce((sum, list) => sum + list.length, 0);
    return tooComplex(states, transitions, this.workLimit);
  }

  /**
   * Returns the transitions of a set. Between two neighbouring range boundaries the same edges
   * apply, so the boundaries are visited in order.
   */
  private stepsOf(set: readonly number[]): number[] {
    const active = new Map<number, number>();
    const changes: { at: number; to: number; by: number }[] = [];
    for (const state of set) {
      for (const { first, last, to } of this.nfa.edges[state] ?? []) {
        changes.push({ at: first, to, by: 1 }, { at: last + 1, to, by: -1 });
      }
    }
    changes.sort((a, b) => a.at - b.at);
    const steps: number[] = [];
    for (let i = 0; i < changes.length;) {
      const { at } = changes[i] as { at: number };
      for (; changes[i]?.at === at; i += 1) {
        const { to, by } = changes[i] as { to: number; by: number };
        const count = (active.get(to) ?? 0) + by;
        if (count === 0) active.delete(to);
        else active.set(to, count);
      }
      if (active.size === 0) continue;
      const next = this.setOf(active.keys());
      const last = (changes[i]?.at ?? LAST_CODE_POINT + 1) - 1;
      const before = steps.length - 3;
      if (before >= 0 && steps[before + 2] === next && steps[before + 1] === at - 1)
        steps[before + 1] = last;
      else steps.push(at, last, next);
    }
    this.rangeCount += steps.length / 3;
    return steps;
  }

  /**
   * Returns the index of the set of `states` and of all states that empty moves reach. States
   * without edges are dropped, except the end.
   */
  private setOf(states: Iterable<number>): number {
    const { edges, emptyMoves, end } = this.nfa;
    this.round += 1;
    const open = [...states];
    const set: number[] = [];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (this.seen[state] === this.round) continue;
      this.seen[state] = this.round;
      if (state === end || edges[state]?.length !== 0) set.push(state);
      for (const to of emptyMoves[state] ?? []) open.push(to);
    }
    set.sort((a, b) => a - b);
    const key = set.join();
    const found = this.known.get(key);
    if (found !== undefined) return found;
    this.known.set(key, this.sets.length);
    return this.sets.push(set) - 1;
  }
}

/** The state after a character that no accepted text has at this place. */
const REFUSED = -1;
/** A state that accepts the text, whatever follows. */
const FINAL = -2;
const ASCII_SIZE = 128;

/** A finished automaton: ranges per state, and direct tables for ASCII. */
class StateTable implements Dfa {
  readonly prefix: string;
  private readonly states: readonly State[];
  /** Next states by ASCII character. The row of a state is built when a text first reaches it. */
  private readonly rows: (Int32Array | undefined)[] = [];

  constructor(states: readonly State[]) {
    this.states = states.map(({ steps, isAccepted }) => {
      const next = steps.map((step, i) => (i % 3 === 2 && isFinal(states, step) ? FINAL : step));
      return { steps: next, isAccepted };
    });
    this.prefix = this.commonPrefix(isFinal(states, 0));
  }

  readonly accepts = (text: string): boolean => {
    const { length } = text;
    let state = 0;
    for (let i = 0; i < length; i += 1) {
      const code = text.charCodeAt(i);
      if (code < ASCII_SIZE) {
        state = (this.rows[state] ?? this.rowOf(state))[code] as number;
      } else {
        const whole = text.codePointAt(i) as number;
        if (whole > 0xffff) i += 1;
        state = this.next(state, whole);
      }
      if (state < 0) return state === FINAL;
    }
    return this.states[state]?.isAccepted === true;
  };

  readonly acceptsUtf8 = (bytes: Uint8Array, length: number): boolean => {
    let state = 0;
    for (let i = 0; i < length; i += 1) {
      const byte = bytes[i] as number;
      if (byte < ASCII_SIZE) {
        state = (this.rows[state] ?? this.rowOf(state))[byte] as number;
      } else {
        // Lead bytes say how many follow: 110xxxxx, 1110xxxx, 11110xxx.
        const more = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
        let code = byte & (0x3f >> more);
        for (const end = i + more; i < end;) {
          i += 1;
          code = (code << 6) | ((bytes[i] as number) & 0x3f);
        }
        state = this.next(state, code);
      }
      if (state < 0) return state === FINAL;
    }
    return this.states[state]?.isAccepted === true;
  };

  private rowOf(state: number): Int32Array {
    const row = new Int32Array(ASCII_SIZE).fill(REFUSED);
    const { steps } = this.states[state] as State;
    for (let i = 0; i < steps.length; i += 3)
      row.fill(steps[i + 2] as number, steps[i], (steps[i + 1] as number) + 1);
    this.rows[state] = row;
    return row;
  }

  /** Finds the range of `code` by binary search. */
  private next(state: number, code: number): number {
    const { steps } = this.states[state] as State;
    let low = 0;
    let high = steps.length / 3 - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (code < (steps[middle * 3] as number)) high = middle - 1;
      else if (code > (steps[middle * 3 + 1] as number)) low = middle + 1;
      else return steps[middle * 3 + 2] as number;
    }
    return REFUSED;
  }

  /** Follows the states that have exactly one transition, on exactly one character. */
  private commonPrefix(isStartFinal: boolean): string {
    let prefix = "";
    const seen = new Set<number>();
    for (let state = isStartFinal ? FINAL : 0; state >= 0 && !seen.has(state);) {
      seen.add(state);
      const { steps, isAccepted } = this.states[state] as State;
      const [first, last, next] = steps;
      if (isAccepted || steps.length !== 3 || first !== last) break;
      // A lone surrogate has no UTF-8 form, so no stored term can start with it.
      if (first === undefined || next === undefined || (first >= 0xd800 && first <= 0xdfff)) break;
      prefix += String.fromCodePoint(first);
      state = next;
    }
    return prefix;
  }
}

/** True if every character leads from an accepting state to itself. */
function isFinal(states: readonly State[], state: number): boolean {
  const { steps, isAccepted } = states[state] as State;
  return isAccepted && steps[0] === 0 && steps[1] === LAST_CODE_POINT && steps[2] === state;
}
