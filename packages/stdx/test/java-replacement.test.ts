/** Replacing as Java does. */
import { describe, expect, test } from "vitest";
import { replaceAllJava } from "../src/index.ts";

describe("replacing all matches", () => {
  test.each([
    ["logs-1", "logs-(.+)", "old_$1", "old_1"],
    ["a1b2", "([a-z])(\\d)", "$2$1", "1a2b"],
    ["i1", "(i)(.)", "$10", "i0"],
    ["i1", "(?<n>i.)", "x${n}", "xi1"],
    ["i1", "(.+)", "x\\$1", "x$1"],
    ["i1", "(?i)I", "x", "x1"],
    ["i1", "z", "$9", "i1"],
  ])("of %s: %s by %s gives %s", (text, pattern, replacement, expected) => {
    expect(replaceAllJava(text, pattern, replacement)).toBe(expected);
  });

  test.each([
    ["(.+)", "x_$2", "index_out_of_bounds_exception", "No group 2"],
    ["(.+)", "x_$", "illegal_argument_exception", "group index is missing"],
    ["(.+)", "x_$z", "illegal_argument_exception", "Illegal group reference"],
    ["(.+)", "x\\", "illegal_argument_exception", "character to be escaped is missing"],
    ["(?<n>.+)", "${m}", "illegal_argument_exception", "No group with name {m}"],
    ["(", "x", "pattern_syntax_exception", "Unclosed group near index 1\n("],
    ["[", "x", "pattern_syntax_exception", "Unclosed character class near index 0\n[\n^"],
  ])("%s by %s is refused: %s", (pattern, replacement, type, reason) => {
    expect(() => replaceAllJava("i1", pattern, replacement)).toThrow(reason);
    expect(() => replaceAllJava("i1", pattern, replacement)).toThrow(type);
  });
});
