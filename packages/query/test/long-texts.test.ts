/** Texts of requests that expressions of our own took a time for that grew with the square of their length, or its cube. */
import { expect, test } from "vitest";
import { parseDistance } from "../src/queries/geo.ts";
import { minimumShouldMatch } from "../src/queries/minimum-should-match.ts";

const LENGTH = 300_000;

test("a minimum of blanks", () => {
  expect(() => minimumShouldMatch(2, `1<${" ".repeat(LENGTH)}x`)).toThrow("x");
  expect(minimumShouldMatch(8, "2 < -25%  9 < -3")).toBe(6);
});

test("a distance of letters, and of blanks", () => {
  expect(() => parseDistance(`${"e".repeat(LENGTH)}!`, "m")).toThrow("For input string");
  expect(() => parseDistance(`1${" ".repeat(LENGTH)}!`, "m")).toThrow("For input string");
  expect([
    parseDistance("1.5e2 km", "m"),
    parseDistance("12", "km"),
    parseDistance("3mi", "m"),
  ]).toEqual([150_000, 12_000, 3 * 1609.344]);
});
