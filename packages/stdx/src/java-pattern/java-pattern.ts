/** Java's regular expressions: the same matches as `java.util.regex`, within a limited number of steps. */
import { illegalArgument } from "../problem.ts";
import { Matcher } from "./matcher.ts";
import { nativeExpression } from "./native.ts";
import { FLAG, parseJavaPattern } from "./parse.ts";
import { compileProgram, type Program } from "./program.ts";

export interface JavaPattern {
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  /** Each match, from left to right; the next one is looked for when it is asked for. */
  findAll(text: string): Iterable<JavaMatch>;
  matchesWhole(text: string): boolean;
}

export interface JavaMatch {
  readonly start: number;
  readonly end: number;
  /** Start and end of each group, the whole first; -1: not matched. */
  readonly slots: ArrayLike<number>;
}

/** `flags`: Java's names joined by `|`. Throws `pattern_syntax_exception`, `illegal_argument_exception` for unknown flags. */
export function compileJavaPattern(source: string, flags: string | undefined): JavaPattern {
  return javaPattern(source, readFlags(flags));
}

/** `flags` by bit. */
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

/** Source: `Regex.flagsFromString`. */
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
