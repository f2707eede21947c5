/** Built-in analyzers against Lucene's, and the two ways to walk a text against each other. */
import { forSeeds } from "@orrery/seeds";
import { utf8Decode } from "@orrery/stdx";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createAnalysis, hashTerm, type TermBytesSink } from "../src/index.ts";

type Recorded = [string, string, [string, number, number, number, string][]];

const analysis = createAnalysis({});
const recorded = readFileSync(join(import.meta.dirname, "testdata/lucene-tokens.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => JSON.parse(line) as Recorded);

describe.each(["standard", "english", "simple", "whitespace", "stop", "keyword"])("%s", (name) => {
  test("makes the tokens Lucene makes", () => {
    const cases = recorded.filter(([analyzer]) => analyzer === name);

    expect(cases.length).toBeGreaterThan(30);
    for (const [, text, tokens] of cases) {
      const found = analysis
        .analyzer(name)
        .analyze(text)
        .map((token) => [
          token.term,
          token.position,
          token.startOffset,
          token.endOffset,
          token.type,
        ]);
      expect({ text, found }).toEqual({ text, found: tokens });
    }
  });
});

test("INV-ANALYSIS-1: bytes for the indexer are the terms for the reader", () => {
  const pieces = [
    ..."abZ09_'.:,;# é\u{1f600}\u20e3\u0301中ก\u05d0".split(""),
    "  ",
    "a'b",
    "1,2",
    "-",
  ];
  forSeeds(3000, (random) => {
    const text = Array.from({ length: random.int(0, 14) }, () => random.pick(pieces))
      .join("")
      .toWellFormed();
    const long = random.int(0, 40) === 0 ? "x".repeat(random.int(250, 520)) + text : text;
    for (const name of ["standard", "english", "whitespace"]) {
      const analyzer = analysis.analyzer(name);
      const expected: unknown[] = [];
      const trailing = analyzer.visit(long, (token) => {
        const { positionIncrement, startOffset, endOffset } = token;
        expected.push([token.term.toWellFormed(), positionIncrement, startOffset, endOffset]);
      });
      const found: unknown[] = [];
      const sink: TermBytesSink = {
        bytes: new Uint8Array(4096),
        term: (length, hash, positionIncrement, startOffset, endOffset) => {
          const bytes = sink.bytes.slice(0, length);
          expect(hash).toBe(hashTerm(bytes, length));
          found.push([utf8Decode(bytes), positionIncrement, startOffset, endOffset]);
        },
        immense: () => expect.unreachable(),
      };

      expect(analyzer.visitBytes(long, sink)).toBe(trailing);
      expect(found).toEqual(expected);
    }
  });
});

test("an analyzer may be used inside its own walk", () => {
  const analyzer = analysis.analyzer("stop");
  const inner: string[][] = [];

  analyzer.visit("the quick fox", () => inner.push(analyzer.terms("a lazy dog")));

  expect(inner).toEqual([
    ["lazy", "dog"],
    ["lazy", "dog"],
  ]);
});
