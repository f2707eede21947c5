/** Whole numbers beyond doubles keep their digits. */
import { expect, test } from "vitest";
import { jsonDigits } from "../src/json-digits.ts";

test("what JSON.stringify prints, and digits where that throws", () => {
  const plain = { a: [1, null, 'é"', true], b: { c: -0.5 }, d: undefined };
  expect(jsonDigits(plain)).toBe(JSON.stringify(plain));
  expect(jsonDigits({ n: [18446744073709551616n] })).toBe('{"n":[18446744073709551616]}');
});
