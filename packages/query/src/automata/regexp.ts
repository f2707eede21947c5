/**
 * Lucene's regular expressions. Source: `RegExp`.
 *
 * - `@` is any text, `#` nothing, `&` an intersection, `<1-9>` an interval of numbers.
 * - Text in quotes is literal. `\d`, `\s` and `\w` are classes.
 * - `~` is an ordinary character: the product masks the flag that makes it a complement.
 */
import { illegalArgument, OperationError } from "@orrery/stdx";
import { caseVariants } from "./case-folding.ts";
import { dfaOf, type Dfa } from "./dfa.ts";
import { decimalInterval } from "./decimal-interval.ts";
import {
  ANY_CHARACTER,
  ANY_TEXT,
  complementOf,
  EMPTY_TEXT,
  NOTHING,
  rangesOf,
  type Expression,
  type Ranges,
} from "./expression.ts";

/** The bits of the optional operators. */
const FLAGS = {
  INTERSECTION: 1,
  COMPLEMENT: 0x1_0000,
  EMPTY: 4,
  ANYSTRING: 8,
  INTERVAL: 32,
  NONE: 0,
  ALL: 255,
};
/** The bit of named automata, `<name>`, of which none exist. */
const AUTOMATON = 16;
export const ALL_OPERATORS: number = FLAGS.ALL;

/** Options of a `regexp` query. */
export interface RegexpOptions {
  readonly caseInsensitive?: boolean | undefined;
  /** The optional operators, as `operatorsOf` returns them; default: all. */
  readonly operators?: number | undefined;
  /** The query's `max_determinized_states`. */
  readonly workLimit?: number | undefined;
}

/**
 * Compiles the pattern of a `regexp` query to an automaton.
 * @throws OperationError `illegal_argument_exception` for bad syntax,
 *   `too_complex_to_determinize_exception`
 */
export function regexpDfa(pattern: string, options: RegexpOptions = {}): Dfa {
  const parser = new RegexpParser(
    pattern,
    options.operators ?? ALL_OPERATORS,
    options.caseInsensitive === true,
  );
  return dfaOf(parser.run(), options.workLimit);
}

/** Parses flags like `INTERSECTION|EMPTY`, in any case. Source: `RegexpFlag.resolveValue`. */
export function operatorsOf(flags: string): number {
  if (flags === "") return FLAGS.ALL;
  let operators = 0;
  for (const name of flags.split("|")) {
    if (name === "") continue;
    const flag = Object.entries(FLAGS).find(([known]) => known === name.toUpperCase());
    if (flag === undefined) throw illegalArgument(`Unknown regexp flag [${name}]`);
    if (name.toUpperCase() === "ALL") return flag[1];
    operators |= flag[1];
  }
  return operators & FLAGS.ALL;
}

/**
 * The character classes by the letter after the backslash. The capital letter is the complement.
 */
const PREDEFINED: ReadonlyMap<string, Ranges> = new Map([
  ["\\", [92, 92]],
  ["d", [48, 57]],
  ["s", [9, 10, 13, 13, 32, 32]],
  ["w", [48, 57, 65, 90, 95, 95, 97, 122]],
]);

/** The limit of nested brackets, because the parser is recursive. */
const DEPTH_MAX = 1_000;
const INT_MAX = 2_147_483_647;

/** A recursive-descent parser of one pattern. */
class RegexpParser {
  private at = 0;
  /**
   * The first named automaton of the pattern. Since none exist, it is an error, raised once the
   * syntax is valid.
   */
  private missing: string | undefined;
  private depth = 0;
  private readonly pattern: string;
  private readonly operators: number;
  private readonly caseInsensitive: boolean;

  constructor(pattern: string, operators: number, caseInsensitive: boolean) {
    this.pattern = pattern;
    this.operators = operators;
    this.caseInsensitive = caseInsensitive;
  }

  run(): Expression {
    if (this.pattern === "") return EMPTY_TEXT;
    const expression = this.union();
    if (this.isMore()) throw illegalArgument(`end-of-string expected at position ${this.at}`);
    if (this.missing !== undefined) throw illegalArgument(`'${this.missing}' not found`);
    return expression;
  }

  private union(): Expression {
    this.depth += 1;
    if (this.depth > DEPTH_MAX) throw illegalArgument(`too many brackets at position ${this.at}`);
    const parts = [this.intersection()];
    while (this.take("|")) parts.push(this.intersection());
    this.depth -= 1;
    return parts.length === 1 ? (parts[0] as Expression) : { kind: "any-of", parts };
  }

  private intersection(): Expression {
    let left = this.concatenation();
    while (this.has(FLAGS.INTERSECTION) && this.take("&"))
      left = { kind: "both", left, right: this.concatenation() };
    return left;
  }

  private concatenation(): Expression {
    const stops = this.has(FLAGS.INTERSECTION) ? ")|&" : ")|";
    const parts = [this.repetition()];
    while (this.isMore() && !stops.includes(this.peek())) parts.push(this.repetition());
    return parts.length === 1 ? (parts[0] as Expression) : { kind: "all-of", parts };
  }

  private repetition(): Expression {
    let part = this.characterClass();
    for (;;) {
      if (this.take("?")) part = { kind: "repeat", part, min: 0, max: 1 };
      else if (this.take("*")) {
        // In the product, repeating nothing gives nothing instead of the empty text.
        if (part !== NOTHING) part = { kind: "repeat", part, min: 0, max: Infinity };
      } else if (this.take("+")) part = { kind: "repeat", part, min: 1, max: Infinity };
      else if (this.take("{")) part = { kind: "repeat", part, ...this.braces() };
      else return part;
    }
  }

  /** Parses `{2}`, `{2,}` or `{2,5}` after the opening brace. */
  private braces(): { min: number; max: number } {
    const min = this.digits();
    if (min === undefined) throw illegalArgument(`integer expected at position ${this.at}`);
    const max = this.take(",") ? (this.digits() ?? Infinity) : min;
    if (!this.take("}")) throw illegalArgument(`expected '}' at position ${this.at}`);
    if (min > max) {
      throw illegalArgument(`invalid repetition range(out of order): ${min}..${max}`);
    }
    return { min, max };
  }

  private digits(): number | undefined {
    const start = this.at;
    while (this.isMore() && this.peek() >= "0" && this.peek() <= "9") this.at += 1;
    if (this.at === start) return undefined;
    return javaInt(this.pattern.slice(start, this.at));
  }

  /** Parses a class in square brackets, or an atom. */
  private characterClass(): Expression {
    if (!this.take("[")) return this.simple();
    const isNegated = this.take("^");
    const pairs: [number, number][] = [];
    do {
      this.classItem(pairs);
    } while (this.isMore() && this.peek() !== "]");
    // Reversed ranges are reported before a missing bracket.
    for (const [first, last] of pairs) {
      if (first > last)
        throw illegalArgument(`invalid range: from (${first}) cannot be > to (${last})`);
    }
    const ranges = rangesOf(pairs);
    if (!this.take("]")) throw illegalArgument(`expected ']' at position ${this.at}`);
    return { kind: "set", ranges: isNegated ? complementOf(ranges) : ranges };
  }

  /** Parses a character, a range or a predefined class, and adds its code points. */
  private classItem(pairs: [number, number][]): void {
    if (this.take("\\")) {
      const predefined = this.predefined();
      if (predefined === undefined) {
        const code = this.next();
        pairs.push([code, code]);
      } else {
        for (let i = 0; i < predefined.length; i += 2)
          pairs.push([predefined[i] as number, predefined[i + 1] as number]);
      }
      return;
    }
    const first = this.character();
    if (this.take("-")) {
      const last = this.character();
      pairs.push([first, last]);
      return;
    }
    for (const code of this.cases(first)) pairs.push([code, code]);
  }

  /** Parses a predefined class after a backslash. Any letter there must name a class. */
  private predefined(): Ranges | undefined {
    const letter = this.peek();
    if (letter !== "\\" && !/[A-Za-z]/.test(letter)) return undefined;
    const known = PREDEFINED.get(letter);
    if (known !== undefined) {
      this.at += 1;
      return known;
    }
    const others = PREDEFINED.get(letter.toLowerCase());
    if (others === undefined) throw illegalArgument(`invalid character class \\${this.next()}`);
    this.at += 1;
    return complementOf(others);
  }

  /** Parses an atom: a group, an operator, or a character. */
  private simple(): Expression {
    if (this.take(".")) return ANY_CHARACTER;
    if (this.has(FLAGS.EMPTY) && this.take("#")) return NOTHING;
    if (this.has(FLAGS.ANYSTRING) && this.take("@")) return ANY_TEXT;
    if (this.take('"')) return this.quoted();
    if (this.take("(")) {
      if (this.take(")")) return EMPTY_TEXT;
      const expression = this.union();
      if (!this.take(")")) throw illegalArgument(`expected ')' at position ${this.at}`);
      return expression;
    }
    if ((this.has(AUTOMATON) || this.has(FLAGS.INTERVAL)) && this.take("<")) return this.interval();
    if (this.peek() === "\\") {
      this.at += 1;
      const ranges = this.predefined();
      if (ranges !== undefined) return { kind: "set", ranges };
      return this.literal(this.next());
    }
    return this.literal(this.next());
  }

  private quoted(): Expression {
    const end = this.pattern.indexOf('"', this.at);
    if (end < 0) throw illegalArgument(`expected '"' at position ${this.pattern.length}`);
    const text = this.pattern.slice(this.at, end);
    this.at = end + 1;
    return {
      kind: "all-of",
      parts: [...text].map((character) => this.literal(character.codePointAt(0) as number)),
    };
  }

  private literal(code: number): Expression {
    return { kind: "set", ranges: rangesOf(this.cases(code).map((one) => [one, one])) };
  }

  /** Returns the variants of a character that match. */
  private cases(code: number): readonly number[] {
    return this.caseInsensitive ? caseVariants(code) : [code];
  }

  /** Parses `<low-high>` after the opening bracket. */
  private interval(): Expression {
    const end = this.pattern.indexOf(">", this.at);
    if (end < 0) throw illegalArgument(`expected '>' at position ${this.pattern.length}`);
    const text = this.pattern.slice(this.at, end);
    this.at = end + 1;
    const bad = illegalArgument(`interval syntax error at position ${end}`);
    if (!text.includes("-")) {
      if (!this.has(AUTOMATON)) throw bad;
      this.missing ??= text;
      return NOTHING;
    }
    if (!this.has(FLAGS.INTERVAL)) throw illegalArgument(`illegal identifier at position ${end}`);
    const [low = "", high = "", ...more] = text.split("-");
    if (more.length > 0 || !/^\+?\d+$/.test(low) || !/^\+?\d+$/.test(high)) throw bad;
    const [a, b] = [Number(low), Number(high)];
    if (Math.max(a, b) > INT_MAX) throw bad;
    const width = low.length === high.length ? low.length : 0;
    return decimalInterval(Math.min(a, b), Math.max(a, b), width);
  }

  private character(): number {
    this.take("\\");
    return this.next();
  }

  private next(): number {
    const code = this.pattern.codePointAt(this.at);
    if (code === undefined) throw illegalArgument("unexpected end-of-string");
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  private peek(): string {
    return this.pattern.charAt(this.at);
  }

  private isMore(): boolean {
    return this.at < this.pattern.length;
  }

  private has(operator: number): boolean {
    return (this.operators & operator) !== 0;
  }

  private take(character: string): boolean {
    if (!this.isMore() || this.peek() !== character) return false;
    this.at += 1;
    return true;
  }
}

/** @throws OperationError `number_format_exception`, if the number exceeds an int */
function javaInt(digits: string): number {
  const value = Number(digits);
  if (value <= INT_MAX) return value;
  const reason = `For input string: "${digits}"`;
  throw new OperationError({ type: "number_format_exception", reason, status: 400 });
}
