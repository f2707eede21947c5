/** Patterns as Java 25 judged them, those people write, and those that would keep a backtracking matcher busy for ever. */
import { forSeeds, type Random } from "@orrery/seeds";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileJavaPattern } from "../../src/index.ts";
import { javaPattern, type JavaPattern } from "../../src/java-pattern/java-pattern.ts";

interface Case {
  readonly pattern: string;
  readonly flags: number;
  readonly texts: readonly string[];
  /** A text's: whether the whole matches; start and end of each match and its groups. Or why the pattern is refused. */
  readonly verdict: readonly string[] | string;
}

const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, "../testdata/java-patterns.json"), "utf8"),
) as Case[];

test.each(cases)("$pattern", ({ pattern, flags, texts, verdict }) => {
  if (typeof verdict === "string") {
    expect(() => javaPattern(pattern, flags)).toThrow(verdict);
    return;
  }
  const compiled = javaPattern(pattern, flags);
  expect(texts.map((text) => said(compiled, text))).toEqual(verdict);
});

function said(pattern: JavaPattern, text: string): string {
  const matches = [...pattern.findAll(text)].map(({ slots }) =>
    Array.from(slots)
      .slice(0, 2 * (pattern.groupCount + 1))
      .join(),
  );
  return [pattern.matchesWhole(text) ? "1" : "0", ...matches].join(";");
}

/** What lies between matches. */
function split(pattern: string, text: string, flags?: string): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of compileJavaPattern(pattern, flags).findAll(text)) {
    parts.push(text.slice(at, start));
    at = end;
  }
  return [...parts, text.slice(at)].filter((part) => part !== "");
}

describe("patterns people write", () => {
  const CAMEL_CASE =
    "([^\\p{L}\\d]+)|(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)|(?<=[\\p{L}&&[^\\p{Lu}]])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}[\\p{L}&&[^\\p{Lu}]])";

  test.each([
    ["\\W+", "The quick-brown fox!", ["The", "quick", "brown", "fox"]],
    [CAMEL_CASE, "MooseX::FTPClass2_beta", ["Moose", "X", "FTP", "Class", "2", "beta"]],
    [",", "a,b,,c", ["a", "b", "c"]],
    ["\\s*,\\s*", "a , b,c", ["a", "b", "c"]],
    ["-|_|\\.", "a-b_c.d", ["a", "b", "c", "d"]],
    ["(?<=[a-z])(?=[A-Z])", "camelCaseWord", ["camel", "Case", "Word"]],
  ])("%s divides %s", (pattern, text, parts) => {
    expect(split(pattern, text)).toEqual(parts);
  });

  test("flags by name", () => {
    expect(split("X", "1x2X3", "CASE_INSENSITIVE|COMMENTS")).toEqual(["1", "2", "3"]);
    expect(split("a . b", "1a.b2a . b3", "LITERAL")).toEqual(["1a.b2", "3"]);
    expect(() => split("a", "a", "BLAH")).toThrow("Unknown regex flag [BLAH]");
  });
});

describe("patterns that backtrack", () => {
  const text = "a".repeat(3000);

  test.each([
    "(a+)+b",
    "(a|aa)+(a|aaa)+b",
    "(?:(?:a*)*)*b",
    "(a|a?)+b",
    "(?:.*)*,",
    "^(?:(?=a*c)a)*b",
    "(?>a+)+b",
    "(?i)(a+)+B",
    "(x+x+)+y|(a+a+)+b",
  ])("%s on 3,000 times a", (pattern) => {
    const compiled = compileJavaPattern(pattern, undefined);
    expect(compiled.matchesWhole(text)).toBe(false);
    expect([...compiled.findAll(text)]).toEqual([]);
  });

  test.each(["(a+)+\\1b", "(?<=(a|aa){1,20})(?:a|aa){1,100}\\1(a+)+\\2c"])(
    "%s, which depends on its groups, is given up after a number of steps",
    (pattern) => {
      expect(() => [...compileJavaPattern(pattern, undefined).findAll(text)]).toThrow(
        "takes too many steps",
      );
    },
  );

  test("repetitions of repetitions are refused when the pattern is read", () => {
    expect(() => compileJavaPattern("((a{1,1000}){1,1000}){1,1000}", undefined)).toThrow(
      "too large",
    );
    expect(() => compileJavaPattern("(".repeat(10_000), undefined)).toThrow("Too many groups");
    expect(() => compileJavaPattern("[".repeat(10_000), undefined)).toThrow("Too many classes");
  });
});

test("matches are those of JavaScript's engine, where both languages mean the same", () => {
  forSeeds(2_000, (random) => {
    const source = somePattern(random, 3);
    const text = Array.from({ length: random.int(0, 8) }, () => random.pick(["a", "b", "c"])).join(
      "",
    );
    const wanted = [...text.matchAll(new RegExp(source, "g"))].map(({ index, 0: found }) => [
      index,
      index + found.length,
    ]);
    const found = [...compileJavaPattern(source, undefined).findAll(text)];
    expect(
      found.map(({ start, end }) => [start, end]),
      `${source} on ${text}`,
    ).toEqual(wanted);
  });
});

/** Loops are over what takes a character: on a round that takes none, the languages differ. */
function somePattern(random: Random, depth: number): string {
  const letter = (): string => random.pick(["a", "b", "[ab]", "[^a]", ".", "\\w"]);
  if (depth === 0) return letter();
  const some = (): string => somePattern(random, depth - 1);
  return random.pick([
    letter,
    () => some() + some(),
    () => `(?:${some()}|${some()})`,
    () => `(?:${letter()}${some()})${random.pick(["*", "+", "?", "*?", "+?", "{1,2}"])}`,
    () => `(${letter()}|${letter()}${letter()})${random.pick(["*", "+", "{2}"])}`,
    () => `(?=${some()})`,
    () => `(?!${some()})${letter()}`,
    () => `${letter()}(?<=${letter()})`,
    () => random.pick(["^", "$", "\\b"]),
  ])();
}
