/** What a restriction admits is kept with the segment: each answer is that of an evaluation anew, and memory is bounded. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@orrery/stdx";
import { restrictedView, restrictedViewSteps, type ShardView } from "../src/index.ts";
import { admittedBytes } from "../src/restrict/admitted-documents.ts";
import { memoryShard, search, type MemoryShard } from "./memory-shard.ts";

const NAMES = ["ada", "adb", "bob", "bab", "cy", "dee", "eve", "evi"];

/** Fewer digits could be a year. */
const BORN_MS = 1_000_000_000_000;

function people(): MemoryShard {
  return memoryShard({
    mapping: {
      properties: {
        name: { type: "keyword" },
        text: { type: "text" },
        born: { type: "date" },
        age: { type: "long" },
        years: { type: "alias", path: "age" },
        jobs: { type: "nested", properties: { title: { type: "keyword" } } },
      },
    },
    documents: NAMES.map((name, i) => ({
      id: name,
      source: JSON.stringify({
        name,
        text: `${name} the ${i % 2 === 0 ? "quick" : "slow"} one`,
        born: BORN_MS + i * 1000,
        ...(i % 3 === 0 ? {} : { age: i }),
        jobs: [{ title: `${name}-1` }, { title: i % 2 === 0 ? "cook" : "smith" }],
      }),
    })),
    perSegment: 3,
    deleted: new Set(["dee"]),
  });
}

function idsOf(shard: MemoryShard, body: JsonObject = {}): readonly unknown[] {
  return search(shard, body).hits.map((hit) => hit["_id"]);
}

function seen(shard: MemoryShard, documents: JsonObject, nowMs = 0): MemoryShard {
  return { ...shard, view: restrictedView(shard.view, { documents }, { nowMs }) };
}

const QUERIES: readonly JsonObject[] = [
  { match_all: {} },
  { match_none: {} },
  { term: { name: "ada" } },
  { term: { name: { value: "ADA", case_insensitive: true } } },
  { terms: { name: ["ada", "bob"] } },
  { terms: { age: [1, 4] } },
  { prefix: { name: "ad" } },
  { prefix: { name: { value: "AD", case_insensitive: true } } },
  { wildcard: { name: "?d*" } },
  { wildcard: { name: "?b*" } },
  { regexp: { name: "ad[ab]" } },
  { regexp: { name: "ad[a]" } },
  { fuzzy: { name: { value: "adx", fuzziness: 1 } } },
  { fuzzy: { name: { value: "adx", fuzziness: 1, max_expansions: 1 } } },
  { range: { age: { gte: 2 } } },
  { range: { years: { gt: 2 } } },
  { range: { age: { gte: 2, lt: 5 } } },
  { range: { name: { gte: "b" } } },
  { range: { name: { gt: "bab", lte: "cy" } } },
  { range: { name: { gte: "bab", lt: "cy" } } },
  { exists: { field: "age" } },
  { ids: { values: ["bob", "dee"] } },
  { match: { text: "quick ada" } },
  { match: { text: { query: "quick ada", operator: "and" } } },
  { match_phrase: { text: "the quick" } },
  { match_phrase: { text: { query: "the one", slop: 1 } } },
  { match_phrase: { text: "the one" } },
  { match_phrase_prefix: { text: "the qu" } },
  { dis_max: { queries: [{ term: { name: "ada" } }, { range: { age: { gte: 7 } } }] } },
  { constant_score: { filter: { term: { name: "bob" } } } },
  { nested: { path: "jobs", query: { term: { "jobs.title": "cook" } } } },
  { bool: { must_not: [{ term: { name: "ada" } }] } },
  { bool: { must: [{ term: { name: "ada" } }] } },
  { bool: { filter: [{ exists: { field: "age" } }], must_not: [{ term: { name: "bob" } }] } },
  { bool: { should: ["ada", "bob", "cy"].map((name) => ({ term: { name } })) } },
  {
    bool: {
      should: [{ range: { age: { gte: 2 } } }, { match: { text: "quick" } }],
      minimum_should_match: 2,
    },
  },
];

describe("what is kept of one query", () => {
  const shard = people();

  test("is never the answer of another one, and holds for the same one again", () => {
    for (const query of [...QUERIES, ...QUERIES.toReversed()]) {
      const anew = idsOf(people(), { query: { bool: { filter: [query] } } });

      expect(idsOf(seen(shard, query)), JSON.stringify(query)).toEqual(anew);
    }
  });

  test("has nested documents with theirs", () => {
    const aggs = {
      jobs: { nested: { path: "jobs" }, aggs: { titles: { terms: { field: "jobs.title" } } } },
    };
    for (let turn = 0; turn < 2; turn += 1) {
      const { aggregations } = search(seen(shard, { term: { name: "bob" } }), { size: 0, aggs });

      expect(aggregations).toMatchObject({ jobs: { doc_count: 2 } });
      expect(JSON.stringify(aggregations)).not.toMatch(/ada|cy-|dee|eve/);
    }
  });

  test("follows the time that the query names", () => {
    const query = { range: { born: { lte: "now" } } };

    expect(idsOf(seen(shard, query, BORN_MS + 1000))).toEqual(["ada", "adb"]);
    expect(idsOf(seen(shard, query, BORN_MS + 2000))).toEqual(["ada", "adb", "bob"]);
    expect(idsOf(seen(shard, query, BORN_MS + 1000))).toEqual(["ada", "adb"]);
  });

  test("holds for every view of a segment, whichever documents are live in it", () => {
    const fresh = people();
    const older: ShardView = {
      ...fresh.view,
      segments: fresh.view.segments.map(({ reader }) => ({ reader, live: undefined })),
    };
    const query = { nested: { path: "jobs", query: { term: { "jobs.title": "smith" } } } };

    expect(idsOf(seen(fresh, query))).toEqual(["adb", "bab", "evi"]);
    expect(idsOf(seen({ ...fresh, view: older }, query))).toEqual(["adb", "bab", "dee", "evi"]);
    expect(idsOf(seen(fresh, query))).toEqual(["adb", "bab", "evi"]);
  });
});

describe("keeping", () => {
  const many = memoryShard({
    mapping: { properties: { n: { type: "long" } } },
    documents: Array.from({ length: 5000 }, (_, n) => ({ id: `${n}`, source: `{"n":${n}}` })),
  });
  const steps = (gte: number): number => {
    const documents = { range: { n: { gte } } };
    const options = { nowMs: 0, isTurnOver: () => true };
    let rests = 0;
    const made = restrictedViewSteps(many.view, { documents }, options);
    while (made.next().done !== true) rests += 1;
    return rests;
  };

  test("spares a request that comes later the documents, which the first one looked at in turns", () => {
    const [first, second] = [steps(10), steps(10)];

    expect(first - second).toBe(Math.floor(4990 / 1024));
  });

  test("takes a share of the segment at most, and lets go of what was used longest ago", () => {
    const reader = many.view.segments[0]?.reader;
    if (reader === undefined) throw new Error("there is no segment");
    const most = Math.max(16 * 1024, reader.sizeBytes / 16);
    steps(1);
    const one = admittedBytes(reader);
    const kept = steps(1);
    for (let gte = 2; gte < 200; gte += 1) {
      steps(gte);
      expect(admittedBytes(reader)).toBeLessThanOrEqual(most);
      if (gte % 5 === 0) expect(steps(1), "used all the time").toBe(kept);
    }

    expect(one).toBeGreaterThan(0);
    expect(admittedBytes(reader)).toBeGreaterThan(most - 2000);
    expect(steps(2), "used longest ago").toBeGreaterThan(kept);
  });
});
