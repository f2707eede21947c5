/** Replay lines survive a shell and come back as they went. */
import type { Json } from "@orrery/stdx";
import { expect, test } from "vitest";
import { readCases, writeCases } from "../src/replay-line.ts";

const cases: readonly (readonly [string, Json])[] = [
  ["plain", { method: "GET" }],
  ["quotes", "it's"],
  ["characters beyond ASCII and lone surrogates", "é\u0000\ud800"],
  ["long ones", "a".repeat(100_000)],
  ["keys that are names of prototypes", JSON.parse('{"__proto__":{"x":1}}') as Json],
];

test.each(cases)("%s", (_, given) => {
  const word = writeCases([given]);
  expect(word).toMatch(/^[\x20-\x7e]*$/);
  expect(word).not.toContain("'");
  expect(JSON.stringify(readCases(word))).toBe(JSON.stringify([given]));
});

test("what is no such word is refused", () => {
  expect(["", "{}", "[]", "z:", "z:!!", "[1"].map(readCases)).toEqual(Array(6).fill(undefined));
});
