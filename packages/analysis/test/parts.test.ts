/** Char filters, tokenizers and token filters against what OpenSearch answered to `_analyze`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAnalysis, type CustomParts } from "../src/index.ts";

type Recorded = [CustomParts, string, [string, number, number, number, string, number][]];

const analysis = createAnalysis({}, { maxNgramDiff: 10, maxShingleDiff: 10 });
const recorded = readFileSync(join(import.meta.dirname, "testdata/analyze-parts.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => JSON.parse(line) as Recorded);

test("char filters, tokenizers and token filters answer as OpenSearch does", () => {
  expect(recorded.length).toBeGreaterThan(300);
  for (const [parts, text, tokens] of recorded) {
    const found = analysis
      .custom(parts)
      .analyze(text)
      .map((token) => [
        token.term,
        token.position,
        token.startOffset,
        token.endOffset,
        token.type,
        token.positionLength,
      ]);
    expect({ parts, text, found }).toEqual({ parts, text, found: tokens });
  }
});

test.each([
  { type: "mapping", mappings: ["a => aaaaaaaaaa"] },
  { type: "pattern_replace", pattern: "a", replacement: "aaaaaaaaaa" },
])("char filters that make millions of characters of one are refused, %j", (tenfold) => {
  const parts = (count: number): CustomParts => ({
    char_filter: Array.from({ length: count }, () => tenfold),
    tokenizer: "keyword",
  });

  expect(analysis.custom(parts(3)).terms("a")).toEqual(["a".repeat(1000)]);
  expect(() => analysis.custom(parts(8)).terms("a")).toThrow(
    "char filters make more than [4194304] characters of one text",
  );
});

test("an explanation shows the text after each char filter and the tokens after each stage", () => {
  const stages = analysis.explain(
    { char_filter: ["html_strip"], tokenizer: "standard", filter: ["uppercase", "stop"] },
    "<b>a dog</b>",
  );

  expect(stages.map(({ kind, name }) => [kind, name])).toEqual([
    ["charfilter", "html_strip"],
    ["tokenizer", "standard"],
    ["tokenfilter", "uppercase"],
    ["tokenfilter", "stop"],
  ]);
  expect(stages[0]?.filteredText).toBe("a dog");
  expect(stages[2]?.tokens?.map(({ term }) => term)).toEqual(["A", "DOG"]);
});
