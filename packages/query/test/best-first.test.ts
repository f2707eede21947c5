/** First pages of sorted searches, which may be read from points, against the beginning of a whole walk over all hits. */
import { forSeeds } from "@orrery/seeds";
import type { Json, Random } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { memoryShard, search, type MemoryShard } from "./memory-shard.ts";

const mapping = {
  properties: {
    at: { type: "date" },
    size: { type: "long" },
    level: { type: "byte" },
    ratio: { type: "double" },
    tag: { type: "keyword" },
    some: { type: "integer" },
  },
};

const COUNT = 3000;

function anyShard(random: Random): MemoryShard {
  const spread = random.pick([40, 100_000]);
  const documents = Array.from({ length: COUNT }, (_, i) => {
    const some = random.int(0, 3) === 0 ? {} : { some: random.int(0, 50) };
    const source = {
      ...{ at: 1_700_000_000_000 + random.int(0, spread), size: random.int(-spread, spread) },
      ...{ level: random.int(0, 2), ratio: random.int(-spread, spread) / 8, ...some },
      tag: random.pick(["often", "often", "often", "seldom"]),
    };
    return { id: String(i), source: JSON.stringify(source) };
  });
  const deletes = random.pick([0, 10]);
  const ids = documents.map(({ id }) => id);
  const deleted = new Set(ids.filter(() => deletes > 0 && random.int(0, deletes) === 0));
  return memoryShard({ mapping, documents, deleted, perSegment: random.pick([900, COUNT]) });
}

describe("the first page of a sorted search", () => {
  test("is the beginning of all hits in that order", () => {
    forSeeds(12, (random) => {
      const shard = anyShard(random);
      for (let i = 0; i < 10; i += 1) {
        const query = random.pick<Json>([
          { match_all: {} },
          { term: { tag: "often" } },
          { term: { tag: "seldom" } },
          { exists: { field: "some" } },
          { range: { size: { gte: 0 } } },
          { bool: { filter: [{ term: { tag: "often" } }], must_not: [{ term: { level: 1 } }] } },
        ]);
        const order = random.pick(["asc", "desc"]);
        const first = random.pick(["at", "size", "level", "ratio", "some"]);
        const others = random.pick<readonly Json[]>([[], [{ size: "asc" }], ["_score"]]);
        const sort = [{ [first]: order }, ...others];
        const body = { query, sort, track_total_hits: random.pick<Json>([true, 100, false]) };
        const page = { from: random.pick([0, 3]), size: random.pick([1, 10, 25]) };
        const shown = (more: { readonly from?: number; readonly size: number }) =>
          search(shard, { ...body, ...more }).hits.map((hit) => [hit["_id"], hit["sort"]]);
        expect(shown(page)).toEqual(shown({ size: COUNT }).slice(page.from, page.from + page.size));
      }
    });
  });
});
