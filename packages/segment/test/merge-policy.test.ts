/** Which segments the merge policy picks. */
import { forSeeds } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import {
  DEFAULT_TIERED_MERGE_SETTINGS,
  findExpungeMerges,
  findForcedMerges,
  findMerges,
  type SegmentSize,
} from "../src/index.ts";

const MEBIBYTE = 1024 * 1024;

function segment(name: string, mebibytes: number, deletedPct = 0): SegmentSize {
  return { name, sizeBytes: mebibytes * MEBIBYTE, maxDoc: 1000, deletedDocs: deletedPct * 10 };
}

describe("the tiered policy", () => {
  test("leaves ten small segments alone and merges the eleventh with them", () => {
    const small = Array.from({ length: 11 }, (_, i) => segment(`_${i}`, 1));

    expect(findMerges(small.slice(0, 10))).toEqual([]);
    expect(findMerges(small)[0]?.length).toBeGreaterThanOrEqual(10);
  });

  test("never merges beyond the largest size it may make", () => {
    forSeeds(200, (random) => {
      const segments = Array.from({ length: random.int(0, 60) }, (_, i) =>
        segment(`_${i}`, random.pick([1, 5, 40, 300, 2400, 4900]), random.int(0, 60)),
      );
      const merging = new Set(
        segments.filter(() => random.int(0, 9) === 0).map(({ name }) => name),
      );

      const merges = findMerges(segments, merging);

      const names = merges.flat();
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => merging.has(name))).toEqual([]);
      for (const merge of merges) {
        const parts = segments.filter(({ name }) => merge.includes(name));
        const bytes = parts.reduce(
          (sum, part) => sum + part.sizeBytes * (1 - part.deletedDocs / part.maxDoc),
          0,
        );
        expect(bytes).toBeLessThanOrEqual(DEFAULT_TIERED_MERGE_SETTINGS.maxMergedSegmentBytes);
      }
    });
  });

  test("comes to rest: merging as told ends, with tiers in shape", () => {
    forSeeds(50, (random) => {
      let next = 0;
      let segments: SegmentSize[] = [];
      for (let flush = 0; flush < 200; flush += 1) {
        segments.push(segment(`_${(next += 1)}`, random.int(1, 30)));
        for (let merges = findMerges(segments); merges.length > 0; merges = findMerges(segments)) {
          for (const merge of merges) {
            const parts = segments.filter(({ name }) => merge.includes(name));
            const total = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
            segments = segments.filter(({ name }) => !merge.includes(name));
            segments.push(segment(`_${(next += 1)}`, total / MEBIBYTE));
          }
        }
      }
      expect(segments.length).toBeLessThan(40);
    });
  });

  test("rewrites large segments once too many of their documents are deleted", () => {
    const large = Array.from({ length: 3 }, (_, i) => segment(`_${i}`, 4000, 50));

    expect(findMerges(large).flat().length).toBeGreaterThan(0);
    expect(findMerges(large.map((one) => ({ ...one, deletedDocs: 50 })))).toEqual([]);
  });
});

describe("a forced merge", () => {
  const five = [90, 10, 30, 20, 40].map((size, i) => segment(`_${i}`, size));

  test("brings the index to the number wanted by joining the smallest", () => {
    expect(findForcedMerges(five, 1).map((names) => names.toSorted())).toEqual([
      ["_0", "_1", "_2", "_3", "_4"],
    ]);
    expect(findForcedMerges(five, 3).map((names) => names.toSorted())).toEqual([
      ["_1", "_2", "_3"],
    ]);
    expect(findForcedMerges(five, 5)).toEqual([]);
  });

  test("to one segment rewrites a single one only for its deletes", () => {
    expect(findForcedMerges([segment("_0", 10)], 1)).toEqual([]);
    expect(findForcedMerges([segment("_0", 10, 1)], 1)).toEqual([["_0"]]);
  });

  test("of deletes takes the segments with more than a tenth deleted", () => {
    expect(
      findExpungeMerges([segment("_0", 10, 5), segment("_1", 10, 11), segment("_2", 5, 50)]),
    ).toEqual([["_1", "_2"]]);
  });
});
