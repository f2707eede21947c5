/** The cursor over one term against a plain list. */
import { createAnalysis } from "@orrery/analysis";
import { forSeeds, type Random } from "@orrery/seeds";
import { utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  bm25Idf,
  createBm25Scorer,
  coreSegmentParts,
  createSegmentWriter,
  NO_MORE_DOCS,
  openSegment,
  type FieldSpec,
  type Postings,
  type SegmentReader,
  type Terms,
} from "../src/index.ts";

const body: FieldSpec = {
  name: "body",
  type: "text",
  index: "positions",
  norms: true,
  docValues: false,
  points: false,
  analyzer: createAnalysis({}).analyzer("whitespace"),
};

interface Posting {
  readonly doc: number;
  readonly freq: number;
}

interface Sample {
  readonly reader: SegmentReader;
  readonly terms: Terms;
  readonly ord: number;
  readonly list: readonly Posting[];
}

/** One term at a random density, with random freqs in documents of random length. */
function anySample(random: Random): Sample {
  const writer = createSegmentWriter(coreSegmentParts);
  const every = random.pick([1, 2, 7, 100, 700]);
  const maxFreq = random.pick([1, 3, 300]);
  const list: Posting[] = [];
  const count = random.int(1, 3000);
  for (let doc = 0; doc < count; doc += 1) {
    const freq = random.int(1, every) === 1 ? random.int(1, maxFreq) : 0;
    if (freq > 0) list.push({ doc, freq });
    const others = random.int(0, 30);
    writer.add({
      kind: "index",
      id: String(doc),
      seqNo: doc,
      primaryTerm: 1,
      version: 1,
      fields: [{ field: body, value: `${"x ".repeat(freq)}${"y ".repeat(others)}` }],
    });
  }
  const reader = openSegment(writer.flush("_0").files, coreSegmentParts);
  const terms = reader.terms("body");
  if (terms === undefined) throw new Error("no terms");
  return { reader, terms, ord: terms.find(utf8Encode("x")), list };
}

function forSamples(seeds: number, check: (random: Random, sample: Sample) => void): void {
  forSeeds(seeds, (random) => {
    const sample = anySample(random);
    if (sample.ord >= 0) check(random, sample);
  });
}

describe("postings", () => {
  test("INV-SEGMENT-6: advance to where a linear walk would", () => {
    forSamples(50, (random, { terms, ord, list }) => {
      const postings = terms.postings(ord);
      let target = 0;
      while (postings.docId() !== NO_MORE_DOCS) {
        target = Math.max(target, postings.docId()) + random.pick([1, 1, 2, 50, 400]);
        const expected = list.find(({ doc }) => doc >= target);
        expect(postings.advance(target)).toBe(expected?.doc ?? NO_MORE_DOCS);
        if (expected === undefined) break;
        expect(postings.freq()).toBe(expected.freq);
        if (random.int(0, 2) === 0) expect(positionsOf(postings).length).toBe(expected.freq);
        if (random.int(0, 2) > 0) continue;
        const next = list.find(({ doc }) => doc > postings.docId());
        expect(postings.nextDoc()).toBe(next?.doc ?? NO_MORE_DOCS);
      }
      expect(postings.nextDoc()).toBe(NO_MORE_DOCS);
      expect(postings.nextBlock()).toBe(0);
    });
  });

  test("INV-SEGMENT-7: come in blocks as they come one by one, from wherever the cursor stands", () => {
    forSamples(30, (random, { terms, ord, list }) => {
      const postings = terms.postings(ord);
      const start = random.int(0, 500);
      const first = postings.advance(start);
      const found: Posting[] =
        first === NO_MORE_DOCS ? [] : [{ doc: first, freq: postings.freq() }];
      for (let count = postings.nextBlock(); count > 0; count = postings.nextBlock()) {
        for (let i = 0; i < count; i += 1) {
          found.push({ doc: postings.docs[i] ?? -1, freq: postings.freqs[i] ?? -1 });
        }
        // The term comes before all others: its positions are 0, 1, 2 and so on.
        const positions = found
          .slice(-count)
          .flatMap(({ freq }) => Array.from({ length: freq }, (_, at) => at));
        const target = new Int32Array(positions.length);
        expect(postings.readBlockPositions(target)).toBe(positions.length);
        expect([...target]).toEqual(positions);
      }
      expect(found).toEqual(list.filter(({ doc }) => doc >= start));
    });
  });

  test("INV-SEGMENT-7: come from the block of a target on, with their positions", () => {
    forSamples(30, (random, { terms, ord, list }) => {
      const postings = terms.postings(ord);
      let target = 0;
      for (;;) {
        target = Math.max(target, postings.docId() + 1) + random.pick([0, 0, 3, 100, 400]);
        const isThere = postings.advanceBlock(target);
        expect(isThere).toBe(list.some(({ doc }) => doc >= target));
        if (!isThere) break;
        const count = postings.nextBlock();
        const found = [...postings.docs.subarray(0, count)];
        const at = list.findIndex(({ doc }) => doc === found[0]);
        const expected = list.slice(at, at + count);
        expect(found).toEqual(expected.map(({ doc }) => doc));
        expect(found.at(-1)).toBeGreaterThanOrEqual(target);
        const positions = expected.flatMap(({ freq }) => Array.from({ length: freq }, (_, i) => i));
        const read = new Int32Array(positions.length);
        expect(postings.readBlockPositions(read)).toBe(positions.length);
        expect([...read]).toEqual(positions);
      }
    });
  });

  test("INV-SEGMENT-8: never score above the bound of their block, and reach it somewhere near", () => {
    forSamples(50, (random, { reader, terms, ord, list }) => {
      const { stats } = terms;
      const scorer = createBm25Scorer({
        docCount: stats.docCount,
        sumTotalTermFreq: stats.sumTotalTermFreq * random.pick([1, 1, 3]),
        idf: bm25Idf(list.length, stats.docCount),
      });
      const norms = reader.norms("body") ?? new Uint8Array(0);
      const postings = terms.postings(ord);
      const scores = list.map(({ doc, freq }) => ({
        doc,
        score: scorer.score(freq, norms[doc] ?? 1),
      }));
      let from = 0;
      while (from < reader.maxDoc) {
        const last = postings.shallowAdvance(from);
        if (last === NO_MORE_DOCS) break;
        const inBlock = scores
          .filter(({ doc }) => doc >= from && doc <= last)
          .map(({ score }) => score);
        expect(postings.blockMaxScore(scorer)).toBeGreaterThanOrEqual(Math.max(...inBlock));
        from = last + 1;
      }
      expect(scores.every(({ doc }) => doc < from)).toBe(true);
      const best = Math.max(...scores.map(({ score }) => score));
      expect(terms.postings(ord).maxScore(scorer)).toBeGreaterThanOrEqual(best);
      expect(terms.postings(ord).maxScore(scorer)).toBeLessThanOrEqual(scorer.weight);
    });
  });
});

describe("a look ahead", () => {
  test("may go back as far as the current block", () => {
    forSamples(50, (random, { reader, terms, ord }) => {
      const postings = terms.postings(ord);
      const scorer = createBm25Scorer({ docCount: 10, sumTotalTermFreq: 100, idf: 1 });
      for (let doc = 0; doc < reader.maxDoc;) {
        const targets = Array.from({ length: 4 }, () => random.int(doc, reader.maxDoc));
        for (const target of targets) {
          const fresh = terms.postings(ord);
          expect(postings.shallowAdvance(target)).toBe(fresh.shallowAdvance(target));
          expect(postings.blockMaxScore(scorer)).toBe(fresh.blockMaxScore(scorer));
        }
        const next = postings.advance(doc);
        if (next === NO_MORE_DOCS) break;
        doc = next + random.int(1, reader.maxDoc);
      }
    });
  });
});

function positionsOf(postings: Postings): number[] {
  const target = new Int32Array(postings.freq());
  const count = postings.readPositions(target);
  return [...target.subarray(0, count)];
}
