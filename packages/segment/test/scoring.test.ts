/** Norm bytes and BM25. */
import { describe, expect, test } from "vitest";
import { bm25Idf, byte4ToInt, createBm25Scorer, intToByte4 } from "../src/index.ts";

describe("a norm byte", () => {
  test("keeps lengths up to 40 exactly and never rounds up", () => {
    for (let length = 0; length <= 40; length += 1)
      expect(byte4ToInt(intToByte4(length))).toBe(length);
    expect(
      [41, 42, 43, 1000, 2_147_483_647].map((length) => byte4ToInt(intToByte4(length))),
    ).toEqual([40, 42, 42, 984, 2_013_265_944]);
    expect(intToByte4(2_147_483_647)).toBe(255);
  });

  test("grows with the length", () => {
    for (let byte = 1; byte < 256; byte += 1) {
      expect(byte4ToInt(byte)).toBeGreaterThan(byte4ToInt(byte - 1));
      expect(intToByte4(byte4ToInt(byte))).toBe(byte);
    }
  });
});

describe("BM25", () => {
  test("gives one document with one matching token of one the score OpenSearch gives", () => {
    const scorer = createBm25Scorer({ docCount: 1, sumTotalTermFreq: 1, idf: bm25Idf(1, 1) });

    expect(scorer.score(1, intToByte4(1))).toBe(Math.fround(0.13076457));
  });

  test("grows with the freq and falls with the length", () => {
    const scorer = createBm25Scorer({
      docCount: 100,
      sumTotalTermFreq: 5000,
      idf: bm25Idf(7, 100),
      boost: 2,
    });

    for (let freq = 1; freq < 50; freq += 1) {
      for (let norm = 1; norm < 255; norm += 1) {
        expect(scorer.score(freq + 1, norm)).toBeGreaterThanOrEqual(scorer.score(freq, norm));
        expect(scorer.score(freq, norm + 1)).toBeLessThanOrEqual(scorer.score(freq, norm));
      }
    }
    expect(scorer.score(Infinity, 1)).toBe(scorer.weight);
  });
});
