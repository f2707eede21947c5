/** Patterns with `*`, against a matcher that only divides. */
import { forSeeds } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { matchesGlob } from "../src/index.ts";

describe("a pattern with *", () => {
  test.each([
    ["a*", "abc", true],
    ["*c", "abc", true],
    ["a*c*e", "abcde", true],
    ["a*a", "a", false],
    ["abc", "abc", true],
    ["*", "", true],
    ["**", "ab", true],
    ["", "", true],
    ["", "a", false],
    ["a*b*b", "ab", false],
    ["*\n*", "a\nb", true],
    ["a.c", "abc", false],
  ])("%s matches %s: %s", (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  test("gives the answer of a matcher that tries everything", () => {
    forSeeds(2_000, (random) => {
      const pattern = someText(random.int(0, 8), () => random.pick(["a", "b", "*"]));
      const text = someText(random.int(0, 10), () => random.pick(["a", "b"]));
      expect(matchesGlob(pattern, text), `${pattern} on ${text}`).toBe(naive(pattern, text));
    });
  });

  test("of forty stars is refused on 3,000 characters after as many steps as both lengths multiply to", () => {
    expect(matchesGlob(`${"*a".repeat(40)}*b`, "a".repeat(3000))).toBe(false);
    expect(matchesGlob(`${"*a".repeat(40)}*`, "a".repeat(3000))).toBe(true);
  });
});

function someText(length: number, next: () => string): string {
  return Array.from({ length }, next).join("");
}

function naive(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  if (pattern.startsWith("*")) {
    return naive(pattern.slice(1), text) || (text !== "" && naive(pattern, text.slice(1)));
  }
  return (
    text !== "" && pattern.charAt(0) === text.charAt(0) && naive(pattern.slice(1), text.slice(1))
  );
}
