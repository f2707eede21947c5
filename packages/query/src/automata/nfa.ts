/**
 * Nondeterministic automata with empty moves, by Thompson's construction. An intersection is built
 * as pairs of states.
 */
import type { Expression } from "./expression.ts";

/** A transition on one range of code points. */
export interface Edge {
  readonly first: number;
  readonly last: number;
  readonly to: number;
}

/** An automaton with one start and one accepting end. */
export interface Nfa {
  readonly start: number;
  readonly end: number;
  /** The states reached without a character, by state. */
  readonly emptyMoves: readonly (readonly number[])[];
  /** The transitions, by state. */
  readonly edges: readonly (readonly Edge[])[];
}

/** The limit of states and edges, since nested repetitions multiply them. */
const SIZE_MAX = 200_000;

/** The automaton of a part of the expression. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

/** The error of an automaton that would have more than 200,000 states and edges. */
export class TooLarge extends Error {}

/**
 * Compiles an expression to a nondeterministic automaton.
 * @throws TooLarge
 */
export function nfaOf(expression: Expression): Nfa {
  const builder = new NfaBuilder();
  const { start, end } = builder.piece(expression);
  return { start, end, emptyMoves: builder.emptyMoves, edges: builder.edges };
}

class NfaBuilder {
  readonly emptyMoves: number[][] = [];
  readonly edges: Edge[][] = [];
  private size = 0;

  piece(expression: Expression): Piece {
    switch (expression.kind) {
      case "set": {
        const { ranges } = expression;
        const piece = { start: this.state(), end: this.state() };
        for (let i = 0; i < ranges.length; i += 2)
          this.edge(piece.start, ranges[i] as number, ranges[i + 1] as number, piece.end);
        return piece;
      }
      case "all-of": {
        const start = this.state();
        let end = start;
        for (const part of expression.parts) {
          const piece = this.piece(part);
          this.emptyMove(end, piece.start);
          ({ end } = piece);
        }
        return { start, end };
      }
      case "any-of": {
        const whole = { start: this.state(), end: this.state() };
        for (const part of expression.parts) {
          const piece = this.piece(part);
          this.emptyMove(whole.start, piece.start);
          this.emptyMove(piece.end, whole.end);
        }
        return whole;
      }
      case "repeat":
        return this.repetition(expression.part, expression.min, expression.max);
      case "both":
        return this.both(this.piece(expression.left), this.piece(expression.right));
    }
  }

  /** Copies the part `min` times, followed by a loop or by `max - min` optional copies. */
  private repetition(part: Expression, min: number, max: number): Piece {
    const start = this.state();
    let end = start;
    for (let i = 0; i < min; i += 1) {
      const piece = this.piece(part);
      this.emptyMove(end, piece.start);
      ({ end } = piece);
    }
    if (max === Infinity) {
      const loop = this.state();
      const piece = this.piece(part);
      this.emptyMove(end, loop);
      this.emptyMove(loop, piece.start);
      this.emptyMove(piece.end, loop);
      return { start, end: loop };
    }
    const exit = this.state();
    for (let i = min; i < max; i += 1) {
      const piece = this.piece(part);
      this.emptyMove(end, exit);
      this.emptyMove(end, piece.start);
      ({ end } = piece);
    }
    this.emptyMove(end, exit);
    return { start, end: exit };
  }

  /** Builds the intersection of two pieces. Only reachable pairs of states are built. */
  private both(left: Piece, right: Piece): Piece {
    const pairs = new Map<string, number>();
    const open: (readonly [number, number, number])[] = [];
    const pairOf = (a: number, b: number): number => {
      const key = `${a},${b}`;
      let pair = pairs.get(key);
      if (pair === undefined) {
        pair = this.state();
        pairs.set(key, pair);
        open.push([a, b, pair]);
      }
      return pair;
    };
    const start = pairOf(left.start, right.start);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [a, b, pair] = next;
      for (const to of this.emptyMoves[a] ?? []) this.emptyMove(pair, pairOf(to, b));
      for (const to of this.emptyMoves[b] ?? []) this.emptyMove(pair, pairOf(a, to));
      for (const one of this.edges[a] ?? []) {
        for (const other of this.edges[b] ?? []) {
          const first = Math.max(one.first, other.first);
          const last = Math.min(one.last, other.last);
          if (first <= last) this.edge(pair, first, last, pairOf(one.to, other.to));
        }
      }
    }
    return { start, end: pairOf(left.end, right.end) };
  }

  private state(): number {
    this.grow();
    this.edges.push([]);
    return this.emptyMoves.push([]) - 1;
  }

  private emptyMove(from: number, to: number): void {
    this.grow();
    this.emptyMoves[from]?.push(to);
  }

  private edge(from: number, first: number, last: number, to: number): void {
    this.grow();
    this.edges[from]?.push({ first, last, to });
  }

  private grow(): void {
    this.size += 1;
    if (this.size > SIZE_MAX) throw new TooLarge();
  }
}
