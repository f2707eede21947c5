/** Automata against a matcher that tries everything, and patterns that would keep such a one busy for ever. */
import { forSeeds, type Random } from "@orrery/seeds";
import { utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { dfaOf } from "../../src/automata/dfa.ts";
import {
  ANY_CHARACTER,
  ANY_TEXT,
  NOTHING,
  type Expression,
} from "../../src/automata/expression.ts";
import { regexpDfa } from "../../src/automata/regexp.ts";
import { wildcardDfa } from "../../src/automata/wildcard.ts";

test("an automaton accepts what a matcher that tries everything accepts", () => {
  forSeeds(2_000, (random) => {
    const expression = someExpression(random, 3);
    const { accepts, acceptsUtf8, prefix } = dfaOf(expression);
    for (let i = 0; i < 20; i += 1) {
      const text = Array.from({ length: random.int(0, 6) }, () =>
        random.pick(["a", "b", "é", "€", "😀"]),
      );
      const isWanted = endsOf(expression, text, 0).has(text.length);
      const said = `${JSON.stringify(expression)} on ${text.join("")}`;
      expect(accepts(text.join("")), said).toBe(isWanted);
      const bytes = utf8Encode(text.join(""));
      expect(acceptsUtf8(bytes, bytes.length), said).toBe(isWanted);
      if (isWanted) expect(text.join("").startsWith(prefix), said).toBe(true);
    }
  });
});

describe("patterns that backtrack", () => {
  test.each(["(a+)+b", "(a|aa)+(a|aaa)+b", "((a*)*)*b", "(.*)*(.*)*(.*)*b", "(a|a|a?)+b"])(
    "the expression %s on 3,000 times a",
    (pattern) => {
      expect(regexpDfa(pattern).accepts("a".repeat(3000))).toBe(false);
      expect(regexpDfa(pattern).accepts(`${"a".repeat(3000)}b`)).toBe(true);
    },
  );

  test("a wildcard of many stars on 3,000 characters", () => {
    expect(wildcardDfa(`${"*a".repeat(12)}*b`, false).accepts("a".repeat(3000))).toBe(false);
    expect(wildcardDfa(`${"*a".repeat(300)}*`, false).accepts("a".repeat(3000))).toBe(true);
  });

  test.each([
    ".*a.................b",
    "((a{1000}){1000}){1000}",
    "(((((a{1,50}){1,50}){1,50}){1,50}){1,50}){1,50}",
    "(.*a.{20}&.*b.{20})",
    `${"(a?){100}".repeat(50)}${".*a.{9}".repeat(9)}`,
  ])("%s is told to be too complex", (pattern) => {
    expect(() => regexpDfa(pattern)).toThrow("would require more than 10000 effort");
  });

  test("a request may raise the limit, though not without bounds", () => {
    expect(() => regexpDfa(".*a.{8}b", { workLimit: 10 })).toThrow("more than 10 effort");
    expect(regexpDfa(".*a.{8}b", { workLimit: 50_000 }).accepts("xaxxxxxxxxb")).toBe(true);
    expect(() => regexpDfa(".*a.{40}b", { workLimit: 2 ** 31 })).toThrow("too_complex_to");
  });

  test("brackets in brackets are refused before the stack ends", () => {
    const pattern = `${"(".repeat(100_000)}a${")".repeat(100_000)}`;
    expect(() => regexpDfa(pattern)).toThrow("too many brackets");
  });
});

describe("what all texts start with", () => {
  test.each([
    ["foo.*", "foo"],
    ["foo", "foo"],
    ["fo+", "fo"],
    ["fo?", "f"],
    ["(foo|fob)x", "fo"],
    [".*foo", ""],
    ["a{3}b*", "aaa"],
    ["😀x.", "😀x"],
  ])("of %s is %s", (pattern, prefix) => {
    expect(regexpDfa(pattern).prefix).toBe(prefix);
  });
});

function someExpression(random: Random, depth: number): Expression {
  const set: Expression[] = [
    { kind: "set", ranges: [97, 97] },
    { kind: "set", ranges: [98, 98] },
    { kind: "set", ranges: [97, 98] },
    { kind: "set", ranges: [0x1f600, 0x1f600] },
    ANY_CHARACTER,
    ANY_TEXT,
    NOTHING,
  ];
  if (depth === 0) return random.pick(set);
  const some = (): Expression => someExpression(random, depth - 1);
  const min = random.int(0, 2);
  return random.pick<() => Expression>([
    () => random.pick(set),
    () => ({ kind: "all-of", parts: Array.from({ length: random.int(0, 3) }, some) }),
    () => ({ kind: "any-of", parts: Array.from({ length: random.int(1, 3) }, some) }),
    () => ({ kind: "both", left: some(), right: some() }),
    () => ({
      kind: "repeat",
      part: some(),
      min,
      max: random.pick([min, min + random.int(0, 2), Infinity]),
    }),
  ])();
}

/** Where a match that begins at `from` may end. */
function endsOf(
  expression: Expression,
  text: readonly string[],
  from: number,
): ReadonlySet<number> {
  switch (expression.kind) {
    case "set": {
      const code = text[from]?.codePointAt(0);
      const { ranges } = expression;
      const isIn = ranges.some(
        (first, i) =>
          i % 2 === 0 && code !== undefined && code >= first && code <= (ranges[i + 1] ?? 0),
      );
      return new Set(isIn ? [from + 1] : []);
    }
    case "all-of":
      return expression.parts.reduce<ReadonlySet<number>>(
        (ends, part) => new Set([...ends].flatMap((end) => [...endsOf(part, text, end)])),
        new Set([from]),
      );
    case "any-of":
      return new Set(expression.parts.flatMap((part) => [...endsOf(part, text, from)]));
    case "both": {
      const right = endsOf(expression.right, text, from);
      return new Set([...endsOf(expression.left, text, from)].filter((end) => right.has(end)));
    }
    case "repeat": {
      const { part, min, max } = expression;
      const found = new Set<number>();
      let ends: ReadonlySet<number> = new Set([from]);
      for (let i = 0; i <= Math.min(max, min + text.length); i += 1) {
        if (i >= min) for (const end of ends) found.add(end);
        ends = new Set([...ends].flatMap((end) => [...endsOf(part, text, end)]));
      }
      return found;
    }
  }
}
