/**
 * Java's regular expressions: the matches of `java.util.regex`, within a limited number of steps. A pattern is parsed
 * (`parse.ts`), compiled to steps (`program.ts`) and run (`matcher.ts`); a simple one is run by the engine's own
 * expressions (`native.ts`).
 */
import { illegalArgument } from "../problem.ts";
import { Matcher } from "./matcher.ts";
import { nativeExpression } from "./native.ts";
import { FLAG, parseJavaPattern } from "./parse.ts";
import { compileProgram, type Program } from "./program.ts";

/**
 * A compiled pattern. Matching throws `OperationError` (`illegal_argument_exception`) above the limit of steps.
 */
export interface JavaPattern {
  /** Capturing groups, the whole match not counted. */
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  /** The matches from left to right; each is searched for when it is asked for. */
  findAll(text: string): Iterable<JavaMatch>;
  /** Whether the pattern matches the whole text. */
  matchesWhole(text: string): boolean;
}

/** A match; positions are in UTF-16 units. */
export interface JavaMatch {
  readonly start: number;
  readonly end: number;
  /** Start and end of each group, the whole match first; -1 for a group that took no part. */
  readonly slots: ArrayLike<number>;
}

/**
 * Compiles a pattern. `flags`: names of Java's flags, joined by `|`; `undefined`: none.
 * @throws OperationError `pattern_syntax_exception`; `illegal_argument_exception` for an unknown flag, and for counted
 *   repetitions that multiply to too many steps.
 */
export function compileJavaPattern(source: string, flags: string | undefined): JavaPattern {
  return javaPattern(source, readFlags(flags));
}

/**
 * Compiles a pattern under `flags`, a sum of bits of `FLAG`.
 * @throws OperationError `pattern_syntax_exception`; `illegal_argument_exception` for counted repetitions that multiply to
 *   too many steps.
 */
export function javaPattern(source: string, flags: number): JavaPattern {
  const syntax = parseJavaPattern(source, flags);
  const program = compileProgram(syntax);
  const native = syntax.groupCount === 0 ? nativeExpression(syntax.node) : undefined;
  return {
    groupCount: syntax.groupCount,
    groupNames: syntax.groupNames,
    findAll: (text) =>
      native === undefined ? steppedMatches(program, text) : nativeMatches(native, text),
    matchesWhole: (text) => new Matcher(program, text).matchesWhole(),
  };
}

function* steppedMatches(program: Program, text: string): Iterable<JavaMatch> {
  const matcher = new Matcher(program, text);
  for (let from = 0; from <= text.length;) {
    if (!matcher.find(from)) return;
    const slots = matcher.slots.slice();
    const start = slots[0] as number;
    const end = slots[1] as number;
    yield { start, end, slots };
    matcher.reset();
    from = end === start ? end + 1 : end;
  }
}

function* nativeMatches(expression: RegExp, text: string): Iterable<JavaMatch> {
  for (const match of text.matchAll(expression)) {
    const start = match.index;
    const end = start + match[0].length;
    yield { start, end, slots: [start, end] };
  }
}

/** Names of flags (`Regex.flagsFromString`). */
const FLAGS: ReadonlyMap<string, number> = new Map([
  ...Object.entries(FLAG),
  ["UNICODE_CHAR_CLASS", FLAG.UNICODE_CHARACTER_CLASS],
]);

function readFlags(flags: string | undefined): number {
  if (flags === undefined || flags === "") return 0;
  return flags.split("|").reduce((bits, name) => {
    const flag = FLAGS.get(name.trim().toUpperCase());
    if (flag === undefined) throw illegalArgument(`Unknown regex flag [${name.trim()}]`);
    return bits | flag;
  }, 0);
}
