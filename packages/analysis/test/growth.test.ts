/** Chains that multiply are refused while they do so; what ordinary ones make of a megabyte passes. */
import { expect, test } from "vitest";
import { createAnalysis, Growth, type CustomParts } from "../src/index.ts";

const analysis = createAnalysis({}, { maxNgramDiff: 100_000, maxShingleDiff: 1000 });
const REFUSED = /analysis makes more than \[\d+\] characters/;

const shingle = { type: "shingle", min_shingle_size: 2, max_shingle_size: 4 };
const grams = { type: "ngram", min_gram: 1, max_gram: 50_000 };
const many = Array.from({ length: 3000 }, (_, i) => `w${i}`);
const words = Array.from({ length: 200_000 }, (_, i) => `w${i % 3000}`).join(" ");

function countTokens(parts: CustomParts, text: string, growth?: Growth): number {
  let count = 0;
  analysis.custom(parts).visit(text, () => (count += 1), growth);
  return count;
}

const keyword = { tokenizer: "keyword" } as const;
const standard = { tokenizer: "standard" } as const;

test.each<[string, CustomParts, string]>([
  [
    "shingles of shingles",
    { ...standard, filter: Array.from({ length: 8 }, () => shingle) },
    words.slice(0, 6000),
  ],
  [
    "shingles of holes",
    {
      ...standard,
      filter: ["stop", { type: "shingle", min_shingle_size: 1002, max_shingle_size: 2000 }],
    },
    "a b ".repeat(200_000),
  ],
  [
    "grams that no later filter passes on",
    { ...keyword, filter: [grams, { type: "length", min: 1_000_000 }] },
    "abcdef".repeat(50_000),
  ],
  ["grams of a tokenizer", { tokenizer: grams }, "abcdef".repeat(50_000)],
  [
    "edge grams",
    { ...keyword, filter: [{ type: "edge_ngram", min_gram: 1, max_gram: 100_000 }] },
    "abcdef".repeat(50_000),
  ],
  [
    "a synonym of many words",
    { ...standard, filter: [{ type: "synonym", synonyms: [`a => ${many.join(" ")}`] }] },
    "a ".repeat(100_000),
  ],
  [
    "a synonym graph of many words",
    { ...standard, filter: [{ type: "synonym_graph", synonyms: [`a => ${many.join(" ")}`] }] },
    "a ".repeat(100_000),
  ],
  [
    "a rule of many synonyms",
    { ...standard, filter: [{ type: "synonym", synonyms: [many.join(", ")] }] },
    "w1 ".repeat(200_000),
  ],
  [
    "a rule that a text begins again and again",
    { ...standard, filter: [{ type: "synonym", synonyms: [`${"a ".repeat(3000)} => b`] }] },
    `${"a ".repeat(2999)} b `.repeat(100),
  ],
])("%s of one text are refused", (_, parts, text) => {
  expect(() => countTokens(parts, text)).toThrow(REFUSED);
});

test.each<[string, CustomParts, number]>([
  ["grams of one to three", { tokenizer: { type: "ngram", min_gram: 1, max_gram: 3 } }, 2_999_997],
  ["grams of three to ten", { tokenizer: { type: "ngram", min_gram: 3, max_gram: 10 } }, 7_999_956],
  [
    "prefixes",
    { ...standard, filter: ["lowercase", { type: "edge_ngram", min_gram: 1, max_gram: 20 }] },
    812_777,
  ],
  [
    "shingles of two to five",
    { ...standard, filter: [{ ...shingle, max_shingle_size: 5 }] },
    868_990,
  ],
])("%s of a megabyte pass", (_, parts, atLeast) => {
  const text = words.slice(0, 1_000_000).padEnd(1_000_000, "x");

  expect(countTokens(parts, text)).toBeGreaterThanOrEqual(Math.trunc(atLeast * 0.9));
});

test("texts of one document have one account", () => {
  const growth = new Growth();
  const parts = { ...keyword, filter: [grams] };
  const index = (): number => countTokens(parts, "abcdef".repeat(100), growth);

  expect(index()).toBe(180_300);
  expect(() => {
    for (let i = 0; i < 100; i += 1) index();
  }).toThrow(REFUSED);
  expect(index).toThrow(REFUSED);
  expect(countTokens(parts, "abcdef".repeat(100))).toBe(180_300);
});

test("what char filters make of many short texts is of one account, in normalizers, too", () => {
  const tenfold = { type: "mapping", mappings: ["a => aaaaaaaaaa"] };
  const char_filter = Object.fromEntries(["b", "c", "d", "e", "f"].map((name) => [name, tenfold]));
  const { normalizer } = createAnalysis({
    char_filter,
    normalizer: { long: { type: "custom", char_filter: Object.keys(char_filter) } },
  });
  const growth = new Growth();
  const normalize = (): string => normalizer("long").normalize("a", growth);

  expect(normalize()).toHaveLength(100_000);
  expect(() => {
    for (let i = 0; i < 10_000; i += 1) normalize();
  }).toThrow(REFUSED);
});

test("synonym rules of all analyzers have one account", () => {
  const define = (analyzers: number): unknown =>
    createAnalysis({
      filter: {
        same: { type: "synonym", synonyms: Array.from({ length: 2000 }, (_, i) => `a${i}, b${i}`) },
      },
      analyzer: Object.fromEntries(
        Array.from({ length: analyzers }, (_, i) => [
          `x${i}`,
          { tokenizer: "standard", filter: ["same"] },
        ]),
      ),
    });

  expect(() => define(10)).not.toThrow();
  expect(() => define(1000)).toThrow("Failed to build analyzers");
});
