/** Lists longer than the arguments of a call may be: they are searched, or refused by a limit, and no stack overflows. */
import type { Json, JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { ids, memoryShard, search as searchNow } from "./memory-shard.ts";
import { onShortStack, ROOM } from "./short-stack.ts";

const LENGTH = ROOM + 10_000;
const numbers = Array.from({ length: LENGTH }, (_, i) => i);
const many = <T extends Json>(item: T): T[] => numbers.map(() => item);

const search: typeof searchNow = (...given) => onShortStack(() => searchNow(...given));

const shard = memoryShard({
  mapping: {
    properties: {
      date: { type: "date" },
      nanos: { type: "date_nanos" },
      long: { type: "long" },
      ip: { type: "ip" },
      keyword: { type: "keyword" },
      flag: { type: "boolean" },
    },
  },
  documents: [5, LENGTH - 1, LENGTH].map((n) => ({
    id: `k${n}`,
    source: JSON.stringify({
      date: dateOf(n),
      nanos: dateOf(n),
      long: n,
      ip: addressOf(n),
      keyword: `k${n}`,
      flag: true,
    }),
  })),
});

function addressOf(n: number): string {
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

/** As milliseconds: a shorter number is a year. */
function dateOf(n: number): number {
  return 1_600_000_000_000 + n;
}

const dates = numbers.map(dateOf);
const texts = numbers.map((n) => `k${n}`);
const addresses = numbers.map(addressOf);

describe("any of many values", () => {
  test.each<[string, JsonObject]>([
    ["dates", { terms: { date: dates } }],
    ["dates in nanoseconds", { terms: { nanos: dates } }],
    ["longs", { terms: { long: numbers } }],
    ["addresses", { terms: { ip: addresses } }],
    ["keywords", { terms: { keyword: texts } }],
    ["ids", { ids: { values: texts } }],
    ["ids by name", { terms: { _id: texts } }],
  ])("%s", (_, query) => {
    const answer = search(shard, { query, sort: ["long"] });

    expect(ids(answer)).toEqual(["k5", `k${LENGTH - 1}`]);
  });

  test("truths", () => {
    expect(search(shard, { query: { terms: { flag: many(true) } } }).total?.value).toBe(3);
  });
});

test("many networks are refused", () => {
  const query = { terms: { ip: addresses.map((address) => `${address}/32`) } };

  expect(() => search(shard, { query })).toThrow("maxClauseCount is set to 1024");
});

test.each(["must", "filter", "should", "must_not"])("many clauses in %s are refused", (occur) => {
  const query = { bool: { [occur]: many({ match_all: {} }) } };

  expect(() => search(shard, { query })).toThrow("maxClauseCount is set to 1024");
});

test("many functions make one score", () => {
  const functions = [...many({ weight: 1 }), { weight: 3 }];

  const { maxScore } = search(shard, {
    query: { function_score: { functions, score_mode: "max" } },
  });

  expect(maxScore).toBe(3);
});

test("many patterns filter a source", () => {
  const [hit] = search(shard, { _source: { includes: ["long", ...texts], excludes: texts } }).hits;

  expect(hit?.["_source"]).toEqual({ long: 5 });
});

test.each<[string, Json]>([
  ["keyword", texts],
  ["long", numbers],
  ["date", dates],
  ["ip", addresses],
])("many values of type %s are the buckets of an aggregation", (field, include) => {
  const { aggregations } = search(shard, { aggs: { values: { terms: { field, include } } } });

  expect(aggregations?.["values"]).toMatchObject({ buckets: [{ doc_count: 1 }, { doc_count: 1 }] });
});

test("a nested document of many values is copied to its parents", () => {
  const nested = {
    type: "nested",
    include_in_parent: true,
    properties: { n: { type: "long" } },
  };
  const input = {
    mapping: { properties: { o: { ...nested, properties: { i: nested } } } },
    documents: [{ id: "1", source: JSON.stringify({ o: { i: { n: numbers } } }) }],
  };

  const nesting = onShortStack(() => memoryShard(input));
  const hits = search(nesting, { query: { term: { "o.i.n": LENGTH - 1 } } });

  expect(ids(hits)).toEqual(["1"]);
});
