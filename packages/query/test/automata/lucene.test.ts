/** Expressions and wildcards as Lucene 10.5 judged them: `testdata/lucene-patterns.json` holds its verdicts, one character a text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asciiCases, caseVariants } from "../../src/automata/case-folding.ts";
import { operatorsOf, regexpDfa } from "../../src/automata/regexp.ts";
import { wildcardDfa } from "../../src/automata/wildcard.ts";

interface Case {
  readonly pattern: string;
  readonly wildcard: boolean;
  readonly caseInsensitive: boolean;
  readonly texts: readonly string[];
  /** `0110`, or why the pattern is refused. */
  readonly verdict: string;
}

const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, "../testdata/lucene-patterns.json"), "utf8"),
) as Case[];

test.each(cases)("$pattern", ({ pattern, wildcard, caseInsensitive, texts, verdict }) => {
  const compile = (): ((text: string) => boolean) =>
    (wildcard ? wildcardDfa(pattern, caseInsensitive) : regexpDfa(pattern, { caseInsensitive }))
      .accepts;
  if (/^[01]+$/.test(verdict)) {
    const accepts = compile();
    expect(texts.map((text) => (accepts(text) ? "1" : "0")).join("")).toBe(verdict);
  } else {
    expect(compile).toThrow(verdict);
  }
});

test.each([
  ["k", ["k", "K", "\u212a"]],
  ["σ", ["σ", "ς", "Σ"]],
  ["ß", ["ß", "ẞ"]],
  ["é", ["é", "É"]],
  ["ı", ["ı", "I"]],
  ["i", ["i", "I"]],
  ["1", ["1"]],
])("%s in any case is one of %s in an expression", (letter, others) => {
  const codes = caseVariants(letter.codePointAt(0) ?? 0);
  expect(codes.map((code) => String.fromCodePoint(code)).toSorted()).toEqual(others.toSorted());
});

test("in wildcards, prefixes and terms only ASCII has cases", () => {
  expect([asciiCases(75), asciiCases(233), asciiCases(64)]).toEqual([[75, 107], [233], [64]]);
});

test.each([
  ["", 255],
  ["ALL", 255],
  ["NONE", 0],
  ["intersection|EMPTY", 5],
  ["COMPLEMENT|INTERVAL", 32],
])("flags %s are %s", (flags, operators) => {
  expect(operatorsOf(flags)).toBe(operators);
  expect(() => operatorsOf("BLAH")).toThrow("Unknown regexp flag [BLAH]");
});
