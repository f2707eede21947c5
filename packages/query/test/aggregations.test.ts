/** Aggregations: buckets and metrics over segments, reduced over shards. */
import { forSeeds, type Random } from "@orrery/seeds";
import type { Json, JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { intervalTree } from "../src/aggregations/interval-tree.ts";
import { coreLanguage, createReducer, executeQueryPhase } from "../src/index.ts";
import { memoryShard, search, type MemoryShard } from "./memory-shard.ts";

const COLORS = ["red", "green", "blue", "black", "white"];
const DAY_MS = 86_400_000;

interface Row {
  readonly color: string | undefined;
  readonly tags: readonly string[];
  readonly size: number | undefined;
  readonly price: number;
  readonly ms: number;
}

const mapping: JsonObject = {
  properties: {
    color: { type: "keyword" },
    tags: { type: "keyword" },
    size: { type: "integer" },
    price: { type: "double" },
    ms: { type: "date" },
  },
};

function anyRows(random: Random): Row[] {
  return Array.from({ length: random.int(1, 300) }, () => ({
    color: random.int(0, 9) === 0 ? undefined : random.pick(COLORS),
    tags: [...new Set(Array.from({ length: random.int(0, 3) }, () => random.pick(COLORS)))],
    size: random.int(0, 9) === 0 ? undefined : random.int(0, 50),
    price: random.int(0, 1000) / 8,
    ms: random.int(0, 90) * DAY_MS + random.int(0, DAY_MS - 1),
  }));
}

/** Rows over one to three shards of several segments. */
function shardsOf(random: Random, rows: readonly Row[]): MemoryShard[] {
  const count = random.int(1, 3);
  return Array.from({ length: count }, (_, shard) =>
    memoryShard({
      mapping,
      shard,
      perSegment: random.pick([30, 1000]),
      documents: rows
        .filter((_row, i) => i % count === shard)
        .map((row, i) => ({ id: `${shard}-${i}`, source: JSON.stringify(row) })),
    }),
  );
}

type Buckets = readonly {
  readonly key: Json;
  readonly doc_count: number;
  readonly [name: string]: Json;
}[];

function bucketsOf(aggregation: Json | undefined): Buckets {
  return (aggregation as { readonly buckets: Buckets }).buckets;
}

function sizes(rows: readonly Row[]): number[] {
  return rows.flatMap(({ size }) => size ?? []);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe("INV-AGGREGATION-1: buckets and numbers are those of a reading of every document", () => {
  test("terms with a metric below, by count and then key", () => {
    forSeeds(60, (random) => {
      const rows = anyRows(random);
      const answer = search(shardsOf(random, rows), {
        size: 0,
        aggs: {
          colors: {
            terms: { field: "tags" },
            aggs: { total: { sum: { field: "size" } }, mean: { avg: { field: "size" } } },
          },
        },
      });
      const expected = COLORS.map((color) => rows.filter(({ tags }) => tags.includes(color)))
        .map((own, i) => ({ key: COLORS[i] ?? "", own }))
        .filter(({ own }) => own.length > 0)
        .toSorted((a, b) => b.own.length - a.own.length || (a.key < b.key ? -1 : 1));
      const buckets = bucketsOf(answer.aggregations?.["colors"]);
      expect(buckets.map(({ key, doc_count: count }) => [key, count])).toEqual(
        expected.map(({ key, own }) => [key, own.length]),
      );
      for (const [i, bucket] of buckets.entries()) {
        const own = sizes(expected[i]?.own ?? []);
        expect(bucket["total"]).toEqual({ value: sum(own) });
        expect((bucket["mean"] as { value: number | null }).value).toBe(
          own.length === 0 ? null : sum(own) / own.length,
        );
      }
    });
  });

  test("histograms fill their gaps", () => {
    forSeeds(60, (random) => {
      const rows = anyRows(random);
      const interval = random.int(1, 9);
      const answer = search(shardsOf(random, rows), {
        size: 0,
        aggs: { h: { histogram: { field: "size", interval } } },
      });
      const keys = sizes(rows).map((size) => Math.floor(size / interval) * interval);
      const buckets = bucketsOf(answer.aggregations?.["h"]);
      const expected: [number, number][] = [];
      for (let key = Math.min(...keys); key <= Math.max(...keys); key += interval) {
        expected.push([key, keys.filter((own) => own === key).length]);
      }
      expect(buckets.map(({ key, doc_count: count }) => [key, count])).toEqual(expected);
    });
  });

  test("date histograms by month and by fixed length", () => {
    forSeeds(40, (random) => {
      const rows = anyRows(random);
      const answer = search(shardsOf(random, rows), {
        size: 0,
        aggs: {
          months: {
            date_histogram: {
              field: "ms",
              calendar_interval: "month",
              min_doc_count: 1,
              format: "yyyy-MM",
            },
          },
          weeks: { date_histogram: { field: "ms", fixed_interval: "7d", min_doc_count: 1 } },
        },
      });
      const months = countBy(rows.map(({ ms }) => new Date(ms).toISOString().slice(0, 7)));
      const found = bucketsOf(answer.aggregations?.["months"]).map((bucket) => [
        bucket["key_as_string"],
        bucket.doc_count,
      ]);
      expect(found).toEqual([...months].toSorted(([a], [b]) => (a < b ? -1 : 1)));
      const weeks = countBy(
        rows.map(({ ms }) => String(Math.floor(ms / (7 * DAY_MS)) * 7 * DAY_MS)),
      );
      const byWeek = bucketsOf(answer.aggregations?.["weeks"]).map(({ key, doc_count: count }) => [
        String(key),
        count,
      ]);
      expect(byWeek).toEqual([...weeks].toSorted(([a], [b]) => Number(a) - Number(b)));
    });
  });

  test("statistics, counts and distinct values", () => {
    forSeeds(60, (random) => {
      const rows = anyRows(random);
      const answer = search(shardsOf(random, rows), {
        size: 0,
        aggs: {
          s: { stats: { field: "price" } },
          n: { value_count: { field: "tags" } },
          d: { cardinality: { field: "color" } },
          m: { missing: { field: "color" } },
          r: {
            range: { field: "price", ranges: [{ to: 50 }, { from: 50, to: 100 }, { from: 100 }] },
          },
        },
      });
      const prices = rows.map(({ price }) => price);
      const stats = answer.aggregations?.["s"] as Readonly<Record<string, number>>;
      expect(stats["count"]).toBe(rows.length);
      expect(stats["min"]).toBe(Math.min(...prices));
      expect(stats["max"]).toBe(Math.max(...prices));
      expect(stats["sum"]).toBeCloseTo(sum(prices), 9);
      expect(answer.aggregations?.["n"]).toEqual({
        value: sum(rows.map(({ tags }) => tags.length)),
      });
      expect(answer.aggregations?.["d"]).toEqual({
        value: new Set(rows.flatMap(({ color }) => color ?? [])).size,
      });
      expect(answer.aggregations?.["m"]).toEqual({
        doc_count: rows.filter(({ color }) => color === undefined).length,
      });
      const ranges = bucketsOf(answer.aggregations?.["r"]).map(({ doc_count: count }) => count);
      expect(ranges).toEqual([
        prices.filter((price) => price < 50).length,
        prices.filter((price) => price >= 50 && price < 100).length,
        prices.filter((price) => price >= 100).length,
      ]);
    });
  });
});

test("cardinality stays within two percent beyond its exact range", () => {
  const documents = Array.from({ length: 20_000 }, (_, i) => ({
    id: String(i),
    source: `{"color":"c${i}"}`,
  }));
  const answer = search(memoryShard({ mapping, documents }), {
    size: 0,
    aggs: { c: { cardinality: { field: "color" } } },
  });
  const { value } = (answer.aggregations?.["c"] ?? { value: 0 }) as { value: number };
  expect(Math.abs(value - 20_000)).toBeLessThan(400);
});

test("a sampler below buckets of which the first has no document samples the others", () => {
  const documents = [7, 8, 9].map((size) => ({ id: `${size}`, source: `{"size":${size}}` }));
  const range = { field: "size", ranges: [{ to: 5 }, { from: 5 }] };
  const sampled = { sampler: {}, aggs: { m: { max: { field: "size" } } } };
  const aggs = { r: { range, aggs: { s: sampled } } };

  const answer = search(memoryShard({ mapping, documents }), { size: 0, aggs });

  expect(JSON.stringify(answer.aggregations)).toMatch(
    /"doc_count":0,.*"s":\{"doc_count":0.*"doc_count":3,.*"s":\{"doc_count":3/,
  );
});

test.each([
  ["m", "metrics.AvgAggregationBuilder"],
  ["f>m", "bucket.filter.FilterAggregationBuilder"],
])("a sibling pipeline over [%s], which has no buckets, is refused", (path, found) => {
  const shard = memoryShard({ mapping, documents: [{ id: "1", source: '{"size":1}' }] });
  const m = { avg: { field: "size" } };
  const f = { filter: { match_all: {} }, aggs: { m } };
  const body = { size: 0, aggs: { m, f, p: { avg_bucket: { buckets_path: path } } } };

  expect(() => search(shard, body)).toThrow(
    `The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation [p] found :org.opensearch.search.aggregations.${found} for buckets path: ${path};`,
  );
});

test("buckets are not in the order of a pipeline", () => {
  const shard = memoryShard({ mapping, documents: [{ id: "1", source: '{"size":1}' }] });
  const children = { m: { avg: { field: "size" } }, d: { derivative: { buckets_path: "m" } } };
  const histogram = { field: "size", interval: 1, order: { d: "asc" } };
  const body = { size: 0, aggs: { h: { histogram, aggs: children } } };

  expect(() => search(shard, body)).toThrow(
    "The provided aggregation [d] either does not exist, or is a pipeline aggregation",
  );
});

test("too many buckets are refused", () => {
  const documents = Array.from({ length: 30 }, (_, i) => ({
    id: String(i),
    source: `{"size":${i * 100_000}}`,
  }));
  const shard = memoryShard({ mapping, documents });
  const body = { size: 0, aggs: { h: { histogram: { field: "size", interval: 1 } } } };
  expect(() => search(shard, body)).toThrow("too_many_buckets_exception");
});

test("dates far from each other are too many buckets for auto_date_histogram, before the gap is filled", () => {
  const dates = ["1970-01-01", "+200000000-01-01"];
  const documents = dates.map((day, i) => ({ id: String(i), source: `{"day":"${day}"}` }));
  const shard = memoryShard({ mapping: { properties: { day: { type: "date" } } }, documents });
  const body = { size: 0, aggs: { h: { auto_date_histogram: { field: "day", buckets: 10 } } } };

  expect(() => search(shard, body)).toThrow("too_many_buckets_exception");
});

test("one document is no more than so many buckets, however deep they lie in each other", () => {
  const source = JSON.stringify({ size: Array.from({ length: 200 }, (_, i) => i) });
  const shard = memoryShard({ mapping, documents: [{ id: "1", source }] });
  const terms = { field: "size", size: 1 };
  const inner = { c: { terms, aggs: { d: { terms } } } };
  const body = { size: 0, aggs: { a: { terms, aggs: { b: { terms, aggs: inner } } } } };
  const range = { field: "size", ranges: Array.from({ length: 200 }, (_, i) => ({ from: i })) };
  const ranges = {
    size: 0,
    aggs: { a: { range, aggs: { b: { range, aggs: { c: { range } } } } } },
  };

  expect(() => search(shard, body)).toThrow("circuit_breaking_exception");
  const one = memoryShard({ mapping, documents: [{ id: "1", source: `{"size":500}` }] });
  expect(() => search(one, ranges)).toThrow("circuit_breaking_exception");
});

test("distinct values are no more than so many in all buckets together", () => {
  const source = JSON.stringify({ size: Array.from({ length: 1000 }, (_, i) => i) });
  const shard = memoryShard({ mapping, documents: [{ id: "1", source }] });
  const distinct = { d: { cardinality: { field: "size" } } };
  const terms = { field: "size", size: 1 };
  const body = (aggs: JsonObject): JsonObject => ({ size: 0, aggs: { t: { terms, aggs } } });

  expect(search(shard, body(distinct)).aggregations).toMatchObject({
    t: { buckets: [{ d: { value: 1000 } }] },
  });
  expect(() => search(shard, body({ u: { terms, aggs: distinct } }))).toThrow(
    "circuit_breaking_exception",
  );
});

test("combinations of one document's values are counted before they are made", () => {
  const source = JSON.stringify({ size: Array.from({ length: 1500 }, (_, i) => i) });
  const shard = memoryShard({ mapping, documents: [{ id: "1", source }] });
  const sources = ["a", "b"].map((name) => ({ [name]: { terms: { field: "size" } } }));
  const terms = [{ field: "size" }, { field: "size" }];

  for (const aggregation of [{ composite: { sources } }, { multi_terms: { terms } }])
    expect(() => search(shard, { size: 0, aggs: { a: aggregation } })).toThrow(
      "circuit_breaking_exception",
    );
});

test("an order leads through aggregations of one bucket", () => {
  const documents = [9, 1, 5].map((size, i) => ({
    id: String(i),
    source: JSON.stringify({ color: `c${i}`, size }),
  }));
  const shard = memoryShard({ mapping, documents });
  const size = { avg: { field: "size" } };
  const ordered = (through: JsonObject): JsonObject => ({
    terms: { field: "color", order: { "u>m": "asc" } },
    aggs: { u: { ...through, aggs: { m: size } } },
  });
  const answer = (through: JsonObject) =>
    search(shard, { size: 0, aggs: { t: ordered(through) } }).aggregations;

  expect(answer({ filter: { match_all: {} } })).toMatchObject({
    t: { buckets: [{ key: "c1" }, { key: "c2" }, { key: "c0" }] },
  });
  for (const through of [
    { terms: { field: "size" } },
    { filters: { filters: [{ match_all: {} }] } },
  ])
    expect(() => answer(through)).toThrow("[u] is not single-bucket.");
});

test("more ranges and filters than buckets are allowed are refused before any work", () => {
  const ranges = (count: number) => ({
    range: { field: "size", ranges: Array.from({ length: count }, (_, i) => ({ from: i })) },
  });
  const filters = { filters: { filters: Array.from({ length: 6 }, () => ({ match_all: {} })) } };
  const check = (aggs: JsonObject) => () => {
    createReducer(coreLanguage, { size: 0, aggs }, { maxBuckets: 10 }).check();
  };

  expect(check({ a: ranges(10) })).not.toThrow();
  expect(check({ a: ranges(11) })).toThrow("too_many_buckets_exception");
  expect(check({ a: ranges(5), b: filters })).toThrow("too_many_buckets_exception");
  // Its parent may have no bucket.
  expect(check({ t: { terms: { field: "size" }, aggs: { a: ranges(11) } } })).not.toThrow();
});

test("many ranges are found without a look at each, whatever stands in each other", () => {
  const intervals = [
    { from: -Infinity, to: Infinity },
    ...Array.from({ length: 20_000 }, (_, i) => ({ from: 20_000 - i, to: 20_000 - i + 2 })),
  ];
  const tree = intervalTree(intervals);
  const holders = (value: number): number[] =>
    intervals.flatMap(({ from, to }, i) => (from <= value && value < to ? [i] : []));

  for (const value of [-1, 0, 1, 7.5, 9_999, 20_001.5, 20_002, Number.NaN]) {
    const found: number[] = [];
    expect(tree.find(value, (i) => found.push(i))).toBeLessThan(100);
    expect(found.toSorted((a, b) => a - b)).toEqual(holders(value));
  }
  const twice: number[] = [];
  tree.findAny([5, 5.5, 5.7], 0, 3, (i) => twice.push(i));
  expect(twice.toSorted((a, b) => a - b)).toEqual(holders(5));
});

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

test("a global aggregation has the documents of the alias and of the slice, whatever the query", () => {
  const { view } = memoryShard({
    mapping: { properties: { tag: { type: "keyword" }, n: { type: "integer" } } },
    perSegment: 7,
    documents: Array.from({ length: 40 }, (_, n) => ({
      id: String(n),
      source: JSON.stringify({ tag: n % 4 === 0 ? "blue" : "red", n }),
    })),
  });
  const found = (query: JsonObject, body: JsonObject, aliasFilter?: JsonObject) => {
    const all = { global: {}, aggs: { n: { value_count: { field: "n" } } } };
    const request = { ...body, query, size: 0, aggs: { all } };
    const options = { nowMs: 0, isScroll: true, aliasFilter };
    const { aggregations, totalHits } = executeQueryPhase(view, request, options);
    return { partials: JSON.stringify(aggregations), hits: totalHits?.value };
  };
  const matchAll = { match_all: {} };
  const none = { match_none: {} };
  const filters: readonly (readonly [JsonObject, JsonObject?])[] = [
    [{}],
    [{}, { prefix: { tag: "bl" } }],
    [{ slice: { id: 1, max: 3 } }],
    [{ slice: { id: 1, max: 3 } }, { term: { tag: "red" } }],
  ];
  for (const [body, alias] of filters) {
    const { hits } = found(matchAll, body, alias);
    expect(hits).toBeGreaterThan(0);
    for (const query of [matchAll, none, { term: { n: 4 } }]) {
      const { partials } = found(query, body, alias);
      expect(partials, JSON.stringify([body, alias, query])).toContain(`"n":${hits}`);
    }
  }
});
