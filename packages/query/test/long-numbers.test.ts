/** How many digits a number of a body may have. Words and limit are the product's. */
import { OperationError, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { coreLanguage, createMapping, parseJson } from "../src/index.ts";

const ones = (count: number): string => "1".repeat(count);

function refusal(number: string): string | undefined {
  try {
    parseJson(utf8Encode(`{"a":[2,${number}]}`));
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return `${error.problem.type}: ${error.problem.reason}`;
  }
}

const tooLong = (digits: number): string =>
  `stream_constraints_exception: Number value length (${digits}) exceeds the maximum allowed (1000, from \`StreamReadConstraints.getMaxNumberLength()\`)`;

test.each([
  ones(500),
  ones(1000),
  `-${ones(1000)}`,
  `1.${ones(999)}`,
  `1.${ones(998)}e-1`,
  `1e${ones(999)}`,
])("a number of up to 1000 digits is read: %s", (number) => {
  expect(refusal(number)).toBeUndefined();
});

test.each([
  [ones(1001), 1001],
  [`-${ones(1100)}`, 1100],
  [`1.${ones(1100)}`, 1101],
  [`1.${ones(999)}e1`, 1001],
  [`1e${ones(1100)}`, 1101],
  [`${ones(1100)}x`, 1100],
  [ones(9_000_000), 9_000_000],
])("a longer one is refused with its length", (number, digits) => {
  expect(refusal(number)).toBe(tooLong(digits));
});

test("of an integer no digit is lost", () => {
  expect(parseJson(utf8Encode(`[${ones(1000)}]`))).toEqual([BigInt(ones(1000))]);
});

test("a document with a longer one is not taken", () => {
  const source = utf8Encode(`{"a":${ones(1100)}}`);
  expect(() => createMapping(coreLanguage, {}, {}).parseDocument("1", source, undefined)).toThrow(
    "failed to parse",
  );
});
