/** Queries: which documents match, and how they score. */
import { forSeeds, type Random } from "@orrery/seeds";
import type { JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { ids, memoryShard, search, type MemoryDocument, type MemoryShard } from "./memory-shard.ts";

const WORDS = ["red", "green", "blue", "fox", "dog", "cat", "river"];

interface Row {
  readonly id: string;
  readonly words: readonly string[];
  readonly tags: readonly string[];
  readonly size: number | undefined;
  readonly day: number;
  readonly flag: boolean;
}

const mapping: JsonObject = {
  properties: {
    text: { type: "text" },
    tags: { type: "keyword" },
    size: { type: "long" },
    day: { type: "date" },
    flag: { type: "boolean" },
  },
};

const DAY_MS = 86_400_000;

test("INV-QUERY-2: the page by score is the start of all hits by score, for every page size", () => {
  forSeeds(40, (random) => {
    const { shard } = shardOf(random, anyRows(random));
    const { query } = anyQuery(random, "bool");
    const all = search(shard, { query, size: 500 });
    const size = random.int(1, 8);
    const page = search(shard, { query, size, track_total_hits: random.pick([true, false, 3]) });
    expect(ids(page)).toEqual(ids(all).slice(0, size));
    expect(page.hits.map((hit) => hit["_score"])).toEqual(
      all.hits.slice(0, size).map((hit) => hit["_score"]),
    );
    const scores = all.hits.map((hit) => Number(hit["_score"]));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

test("INV-QUERY-3: hits sorted by fields come in the order of their values, missing ones last", () => {
  forSeeds(40, (random) => {
    const rows = anyRows(random);
    const { shard, live } = shardOf(random, rows);
    const isDescending = random.int(0, 1) === 1;
    const sort = [{ size: { order: isDescending ? "desc" : "asc" } }, { day: "asc" }, "_doc"];
    const answer = search(shard, { size: 500, sort });
    const order = new Map(rows.map(({ id }, i) => [id, i]));
    const expected = live.toSorted((a, b) => {
      if (a.size !== b.size) {
        if (a.size === undefined) return 1;
        if (b.size === undefined) return -1;
        return isDescending ? b.size - a.size : a.size - b.size;
      }
      return a.day - b.day || (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0);
    });
    expect(ids(answer)).toEqual(expected.map(({ id }) => id));

    const cut = random.int(1, Math.max(1, live.length - 1));
    const after = answer.hits[cut - 1]?.["sort"];
    if (after === undefined) return;
    const next = search(shard, { size: 500, sort, search_after: after });
    expect(ids(next)).toEqual(ids(answer).slice(cut));
  });
});

// ------------------------------------------------------------------------------------------ anything

function anyRows(random: Random): Row[] {
  return Array.from({ length: random.int(5, 400) }, (_, i) => ({
    id: `d${i}`,
    words: Array.from({ length: random.int(0, 12) }, () => random.pick(WORDS)),
    tags: [...new Set(Array.from({ length: random.int(0, 2) }, () => random.pick(WORDS)))],
    size: random.int(0, 9) === 0 ? undefined : random.int(-20, 20),
    day: random.int(0, 30),
    flag: random.int(0, 1) === 1,
  }));
}

function shardOf(random: Random, rows: readonly Row[]): { shard: MemoryShard; live: Row[] } {
  const deleted = new Set(rows.filter(() => random.int(0, 9) === 0).map(({ id }) => id));
  const documents = rows.map((row): MemoryDocument => ({
    id: row.id,
    source: JSON.stringify(sourceOf(row)),
  }));
  const shard = memoryShard({
    mapping,
    documents,
    deleted,
    perSegment: random.pick([20, 150, 1000]),
  });
  return { shard, live: rows.filter(({ id }) => !deleted.has(id)) };
}

function sourceOf(row: Row): JsonObject {
  return {
    text: row.words.join(" "),
    tags: row.tags,
    day: row.day * DAY_MS,
    flag: row.flag,
    ...(row.size === undefined ? {} : { size: row.size }),
  };
}

interface Case {
  readonly query: JsonObject;
  readonly matches: (row: Row) => boolean;
}

function anyQuery(random: Random, kind = "bool", depth = 0): Case {
  const make = queryMakers[kind] ?? queryMakers["bool"];
  return (make as (random: Random, depth: number) => Case)(random, depth);
}

const LEAVES = [
  "match",
  "match-and",
  "phrase",
  "term",
  "terms",
  "range",
  "date-range",
  "exists",
  "prefix",
  "boolean",
];

const queryMakers: Readonly<Record<string, (random: Random, depth: number) => Case>> = {
  match: (random) => {
    const words = [random.pick(WORDS), random.pick(WORDS)];
    return {
      query: { match: { text: words.join(" ") } },
      matches: (row) => words.some((word) => row.words.includes(word)),
    };
  },
  "match-and": (random) => {
    const words = [random.pick(WORDS), random.pick(WORDS), random.pick(WORDS)];
    return {
      query: { match: { text: { query: words.join(" "), operator: "and" } } },
      matches: (row) => words.every((word) => row.words.includes(word)),
    };
  },
  phrase: (random) => {
    const words = [random.pick(WORDS), random.pick(WORDS)];
    return {
      query: { match_phrase: { text: words.join(" ") } },
      matches: (row) =>
        row.words.some((word, i) => word === words[0] && row.words[i + 1] === words[1]),
    };
  },
  term: (random) => {
    const tag = random.pick(WORDS);
    return { query: { term: { tags: tag } }, matches: (row) => row.tags.includes(tag) };
  },
  terms: (random) => {
    const tags = [random.pick(WORDS), random.pick(WORDS), "nothing"];
    return {
      query: { terms: { tags } },
      matches: (row) => row.tags.some((tag) => tags.includes(tag)),
    };
  },
  range: (random) => {
    const low = random.int(-25, 20);
    const high = low + random.int(0, 15);
    const [includesLow, includesHigh] = [random.int(0, 1) === 1, random.int(0, 1) === 1];
    return {
      query: {
        range: { size: { [includesLow ? "gte" : "gt"]: low, [includesHigh ? "lte" : "lt"]: high } },
      },
      matches: ({ size }) =>
        size !== undefined &&
        (includesLow ? size >= low : size > low) &&
        (includesHigh ? size <= high : size < high),
    };
  },
  "date-range": (random) => {
    const day = random.int(0, 30);
    const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
    return {
      query: { range: { day: { gte: text, lte: `${text}||+3d/d` } } },
      matches: (row) => row.day >= day && row.day <= day + 3,
    };
  },
  exists: () => ({
    query: { exists: { field: "size" } },
    matches: ({ size }) => size !== undefined,
  }),
  prefix: (random) => {
    const prefix = random.pick(["r", "re", "do", "x"]);
    return {
      query: { prefix: { tags: prefix } },
      matches: (row) => row.tags.some((tag) => tag.startsWith(prefix)),
    };
  },
  boolean: (random) => {
    const flag = random.int(0, 1) === 1;
    return { query: { term: { flag } }, matches: (row) => row.flag === flag };
  },
  bool: (random, depth) => {
    const clause = (): Case =>
      anyQuery(
        random,
        depth < 2 && random.int(0, 4) === 0 ? "bool" : random.pick(LEAVES),
        depth + 1,
      );
    const list = (most: number): Case[] => Array.from({ length: random.int(0, most) }, clause);
    const [must, filter, should, mustNot] = [list(2), list(2), list(3), list(1)];
    const isRequired = must.length + filter.length > 0;
    const minimum =
      random.int(0, 3) === 0 && should.length > 0
        ? random.int(1, should.length)
        : isRequired || should.length === 0
          ? 0
          : 1;
    const query: JsonObject = {
      bool: {
        must: must.map((one) => one.query),
        filter: filter.map((one) => one.query),
        should: should.map((one) => one.query),
        must_not: mustNot.map((one) => one.query),
        ...(minimum > 0 ? { minimum_should_match: minimum } : {}),
      },
    };
    return {
      query,
      matches: (row) =>
        [...must, ...filter].every((one) => one.matches(row)) &&
        should.filter((one) => one.matches(row)).length >= minimum &&
        !mustNot.some((one) => one.matches(row)),
    };
  },
};

describe("INV-QUERY-1: a query finds exactly the documents that a reading of every source finds", () => {
  test.each(Object.keys(queryMakers))("%s", (kind) => {
    forSeeds(25, (random) => {
      const rows = anyRows(random);
      const { shard, live } = shardOf(random, rows);
      for (let i = 0; i < 6; i += 1) {
        const { query, matches } = anyQuery(random, kind);
        const expected = live.filter(matches).map(({ id }) => id);
        const answer = search(shard, { query, size: 500, sort: ["_doc"] });
        expect(ids(answer).toSorted(), JSON.stringify(query)).toEqual(expected.toSorted());
        expect(answer.total).toEqual({ value: expected.length, relation: "eq" });
      }
    });
  });
});

describe("a total that is counted up to a limit", () => {
  const documents = Array.from({ length: 700 }, (_, i) => ({
    id: String(i),
    source: JSON.stringify({ title: i % 3 === 0 ? "rain" : "snow rain", size: i }),
  }));
  const counted = memoryShard({
    mapping: { properties: { title: { type: "text" }, size: { type: "integer" } } },
    documents,
    perSegment: 450,
  });
  const limits = [1, 63, 64, 127, 128, 129, 255, 256, 450, 511, 512, 513, 699, 700, 701];

  test.each([
    [{ query: { match: { title: "snow rain" } } }],
    [
      {
        query: {
          bool: { must: { match: { title: "rain" } }, filter: { range: { size: { gte: 0 } } } },
        },
      },
    ],
    [{ query: { match: { title: "snow rain" } }, size: 0 }],
    [{ query: { match_phrase: { title: "rain" } }, sort: ["_doc"] }],
    [{ query: { prefix: { title: "r" } }, sort: [{ size: "desc" }] }],
  ])("is a lower bound where there are more: %j", (body) => {
    for (const limit of limits) {
      const { total } = search(counted, { ...body, track_total_hits: limit });
      const expected =
        limit < 700 ? { value: limit, relation: "gte" } : { value: 700, relation: "eq" };
      expect(total, String(limit)).toEqual(expected);
    }
  });
});

test("factors and weights of functions are floats", () => {
  const shard = memoryShard({
    mapping: { properties: { size: { type: "integer" } } },
    documents: [{ id: "1", source: JSON.stringify({ size: 144 }) }],
  });
  const field_value_factor = { field: "size" };
  const queries: readonly JsonObject[] = [
    { function_score: { field_value_factor: { ...field_value_factor, factor: 0.1 } } },
    { function_score: { functions: [{ weight: 0.1, field_value_factor }] } },
    { function_score: { functions: [{ weight: 0.1, field_value_factor }], score_mode: "avg" } },
  ];
  const scores = queries.map((query) => search(shard, { query }).maxScore);
  expect(scores).toEqual(queries.map(() => Math.fround(144 * Math.fround(0.1))));
});

test("a boost of 0 makes hits score 0, also where a function adds to the score", () => {
  const shard = memoryShard({
    mapping: { properties: { title: { type: "text" }, size: { type: "integer" } } },
    documents: [1, 2].map((size) => ({
      id: String(size),
      source: JSON.stringify({ title: "rain", size }),
    })),
  });
  const added = {
    query: { match: { title: "rain" } },
    field_value_factor: { field: "size" },
    boost_mode: "sum",
  };
  const queries: readonly JsonObject[] = [
    { function_score: { ...added, boost: 0 } },
    { bool: { must: [{ function_score: added }], boost: 0 } },
    { bool: { must: [{ bool: { must: [{ function_score: added }], boost: 2 } }], boost: 0 } },
    { term: { title: { value: "rain", boost: 0 } } },
    { match_all: { boost: 0 } },
    { constant_score: { filter: { term: { title: "rain" } }, boost: 0 } },
  ];
  for (const query of queries) {
    const { hits, maxScore } = search(shard, { query });
    expect(
      hits.map((hit) => [hit["_id"], hit["_score"]]),
      JSON.stringify(query),
    ).toEqual([
      ["1", 0],
      ["2", 0],
    ]);
    expect(maxScore).toBe(0);
  }
});

test("the explanation of a boost of 0 names the query and no frequencies", () => {
  const shard = memoryShard({
    mapping: { properties: { title: { type: "text" } } },
    documents: [{ id: "1", source: JSON.stringify({ title: "rain" }) }],
  });
  const query = { term: { title: { value: "rain", boost: 0 } } };
  expect(search(shard, { query, explain: true }).hits[0]?.["_explanation"]).toEqual({
    value: 0,
    description: "ConstantScore(title:rain)^0.0",
    details: [],
  });
});

describe("minimum_should_match where every word is required", () => {
  const shard = memoryShard({
    mapping: { properties: { a: { type: "text" }, b: { type: "text" } } },
    documents: [{ id: "1", source: JSON.stringify({ a: "red fox", b: "red fox" }) }],
  });
  const found = (query: JsonObject): number => search(shard, { query }).hits.length;
  const makers: Readonly<Record<string, (minimum: string) => JsonObject>> = {
    match: (minimum) => ({
      match: { a: { query: "red fox", operator: "and", minimum_should_match: minimum } },
    }),
    match_bool_prefix: (minimum) => ({
      match_bool_prefix: { a: { query: "red fo", operator: "and", minimum_should_match: minimum } },
    }),
    multi_match: (minimum) => ({
      multi_match: {
        query: "red fox",
        fields: ["a", "b"],
        operator: "and",
        minimum_should_match: minimum,
      },
    }),
    cross_fields: (minimum) => ({
      multi_match: {
        query: "red fox",
        fields: ["a", "b"],
        type: "cross_fields",
        operator: "and",
        minimum_should_match: minimum,
      },
    }),
    simple_query_string: (minimum) => ({
      simple_query_string: {
        query: "red fox",
        fields: ["a"],
        default_operator: "and",
        minimum_should_match: minimum,
      },
    }),
  };

  test.each(Object.entries(makers))("matches nothing in %s", (_name, make) => {
    // No word is optional, so not even one optional word can match.
    expect(found(make("1"))).toBe(0);
    expect(found(make("2"))).toBe(0);
  });

  test.each(Object.entries(makers))("changes nothing in %s if it comes to 0", (_name, make) => {
    expect(found(make("-1"))).toBe(1);
    expect(found(make("50%"))).toBe(1);
    expect(found(make("2<-25%"))).toBe(1);
  });
});

describe("cross_fields", () => {
  const text = { type: "text" };
  const shard = memoryShard({
    mapping: { properties: { a: text, b: text, c: text } },
    documents: [
      { a: "rain", b: "rain on stone", c: "rain" },
      { a: "stone", b: "rain", c: "grey" },
      { a: "grey rain cloud", b: "stone" },
      { b: "grey rain" },
      { b: "cloud" },
      { a: "cloud", c: "stone" },
    ].map((source, i) => ({ id: String(i + 1), source: JSON.stringify(source) })),
  });

  // Scores of the product.
  test.each([
    ["rain", "a b", ["2", "4", "1", "3"], [0.28939408, 0.22226658, 0.18041724, 0.03398726]],
    ["rain", "a b c", ["2", "4", "1", "3"], [0.28939408, 0.22226658, 0.18772365, 0.115056425]],
    ["cloud", "a c", ["6", "3"], [0.3648143, 0.22359586]],
  ])(
    "scores [%s] in [%s] best in the field in which it is most frequent",
    (query, names, expected, scores) => {
      const fields = names.split(" ");
      const found = search(shard, {
        query: { multi_match: { query, fields, type: "cross_fields" } },
      });

      expect(ids(found)).toEqual(expected);
      expect(found.hits.map((hit) => hit["_score"])).toEqual(scores);
    },
  );
});
