/** What a query may hold: nesting, brackets, clauses, text. Answers as OpenSearch 3.8.0 gave them, where it gave any. */
import {
  coreLanguage,
  checkSearchBody,
  executeCount,
  executeFetchPhase,
  executeQueryPhase,
} from "../src/index.ts";
import { utf8Encode, type JsonObject, type OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { memoryShard, search } from "./memory-shard.ts";

const shard = memoryShard({
  mapping: { properties: { t: { type: "text" }, n: { type: "long" } } },
  documents: Array.from({ length: 300 }, (_, i) => ({
    id: String(i),
    source: `{"t":"x w${i} w${i % 7}","n":${i}}`,
  })),
  perSegment: 100,
});

const { view } = shard;
const run = (body: JsonObject) => executeQueryPhase(view, body, { nowMs: 0 });
const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");

/** JSON has no infinite numbers, and numbers that are read as such. */
function textOf(body: JsonObject): string {
  const text = JSON.stringify(body, (_, value: unknown) =>
    Math.abs(value as number) === Infinity ? `${value as number}` : value,
  );
  return text.replaceAll(/"(-?)Infinity"/g, "$11e400");
}

function problemOf(body: JsonObject) {
  try {
    run(body);
  } catch (error) {
    return (error as { problem?: unknown }).problem ?? error;
  }
  return undefined;
}

const wrappers: Readonly<Record<string, (inner: JsonObject) => JsonObject>> = {
  must: (inner) => ({ bool: { must: inner } }),
  should: (inner) => ({ bool: { should: [inner, { term: { n: 1 } }] } }),
  filter: (inner) => ({ bool: { filter: inner } }),
  must_not: (inner) => ({ bool: { must_not: inner } }),
  dis_max: (inner) => ({ dis_max: { queries: [inner, { term: { n: 2 } }] } }),
  constant_score: (inner) => ({ constant_score: { filter: inner } }),
  boosting: (inner) => ({
    boosting: { positive: inner, negative: { term: { n: 1 } }, negative_boost: 0.5 },
  }),
  function_score: (inner) => ({ function_score: { query: inner, weight: 1 } }),
};

const nested = (wrap: (inner: JsonObject) => JsonObject, depth: number): JsonObject => {
  let query: JsonObject = { match: { t: "x" } };
  for (let i = 1; i < depth; i += 1) query = wrap(query);
  return query;
};

describe.each(Object.entries(wrappers))("queries in each other: %s", (_name, wrap) => {
  test("run up to the limit in every phase", () => {
    const body = {
      query: nested(wrap, 500),
      size: 1,
      explain: true,
      highlight: { fields: { t: {} } },
    };

    const { topDocs } = run(body);
    const hits = executeFetchPhase(view, topDocs, body, { nowMs: 0 });

    expect(hits.hits).toHaveLength(topDocs.length);
    executeCount(view, { query: body.query }, { nowMs: 0 });
  });

  test.each([501, 1500])("are refused beyond it: %i", (depth) => {
    expect(problemOf({ query: nested(wrap, depth) })).toMatchObject({
      type: "illegal_argument_exception",
      reason: "The query depth exceeds the maximum of [500]",
      status: 400,
    });
  });
});

describe("the query languages", () => {
  test.each([
    ["query_string", `${"(".repeat(1000)}x${")".repeat(1000)}`],
    ["simple_query_string", `${"(".repeat(1000)}x${")".repeat(1000)}`],
    ["query_string", `${"(a ".repeat(900)}x${")".repeat(900)}`],
    ["query_string", `${"(-a +".repeat(500)}x${")".repeat(500)}`],
    ["simple_query_string", `${"(a | b + ".repeat(300)}x${")".repeat(300)}`],
    ["simple_query_string", `${"a + b | ".repeat(500)}x`],
    ["simple_query_string", `${"-(".repeat(1000)}x${")".repeat(1000)}`],
  ])("are followed as deep as they may go: %s", (kind, query) => {
    const body = { query: { [kind]: { query, fields: ["t"] } }, size: 1, explain: true };

    const { topDocs } = run(body);

    expect(executeFetchPhase(view, topDocs, body, { nowMs: 0 }).hits).toHaveLength(topDocs.length);
  });

  test.each(["(", "(a ", "-(", "((", "a:(", "+(", "NOT ("])(
    "refuse 1,001 open brackets: %s",
    (open) => {
      const query = `${open.repeat(1001)}x${")".repeat(1001)}`;

      expect(problemOf({ query: { query_string: { query, default_field: "t" } } })).toMatchObject({
        type: "query_shard_exception",
        status: 400,
        causedBy: { type: "parse_exception" },
      });
      expect(problemOf({ query: { simple_query_string: { query, fields: ["t"] } } })).toMatchObject(
        {
          type: "query_shard_exception",
          reason:
            "failed to create query: [simple_query_string] query text nests parentheses deeper than the limit of [1000]",
          status: 400,
        },
      );
    },
  );

  test("an operator that changes all the time does not end the stack", () => {
    const query = `${"a + b | ".repeat(5000)}x`;

    expect(problemOf({ query: { simple_query_string: { query, fields: ["t"] } } })).toMatchObject({
      type: "too_many_nested_clauses",
    });
  });

  test("query_string has a longest text", () => {
    const query = "a".repeat(32_001);

    expect(problemOf({ query: { query_string: { query, default_field: "t" } } })).toMatchObject({
      type: "query_shard_exception",
      causedBy: {
        type: "parse_exception",
        reason:
          "Query string length exceeds max allowed length 32000 (search.query.max_query_string_length); actual length: 32001",
      },
    });
  });
});

describe("clauses", () => {
  const terms = (count: number): JsonObject[] =>
    Array.from({ length: count }, (_, i) => ({ term: { t: `w${i}` } }));
  const tooMany = {
    type: "query_shard_exception",
    reason: "failed to create query: maxClauseCount is set to 1024",
    status: 400,
    causedBy: { type: "too_many_clauses", reason: "maxClauseCount is set to 1024" },
  };

  test.each([
    ["bool", (n: number) => ({ bool: { should: terms(n) } })],
    ["bool of all kinds", (n: number) => ({ bool: { must: terms(24), filter: terms(n - 24) } })],
    ["match", (n: number) => ({ match: { t: words(n) } })],
    ["simple_query_string", (n: number) => ({ simple_query_string: { query: words(n) } })],
  ])("of one query: %s", (_name, query) => {
    expect(problemOf({ query: query(1024) })).toBeUndefined();
    expect(problemOf({ query: query(1025) })).toMatchObject(tooMany);
  });

  test("of one group of a query_string", () => {
    const query = words(1025);

    expect(problemOf({ query: { query_string: { query, default_field: "t" } } })).toMatchObject({
      reason: `Failed to parse query [${query}]`,
      causedBy: {
        type: "parse_exception",
        reason: `Cannot parse '${query}': too many boolean clauses`,
        causedBy: tooMany.causedBy,
      },
    });
  });

  test("of a whole query", () => {
    const query = (n: number) => ({
      bool: { must: [{ bool: { should: terms(600) } }, { bool: { should: terms(n - 600) } }] },
    });

    expect(problemOf({ query: query(1025) })).toBeUndefined();
    expect(problemOf({ query: query(1026) })).toMatchObject({
      type: "too_many_nested_clauses",
      reason: "Query contains too many nested clauses; maxClauseCount is set to 1024",
      status: 500,
    });
    expect(problemOf({ query: { dis_max: { queries: terms(1026) } } })).toMatchObject({
      type: "too_many_nested_clauses",
    });
  });

  const tooWide = {
    type: "too_many_clauses",
    reason: "maxClauseCount is set to 1024",
    status: 500,
  };

  test.each<[string, (i: number) => JsonObject]>([
    ["term", (i) => ({ term: { t: `v${i}` } })],
    ["keyword", (i) => ({ term: { k: `v${i}` } })],
    ["keywords", (i) => ({ terms: { k: [`v${i}`, `x${i}`] } })],
    ["prefix", (i) => ({ prefix: { k: `v${i}` } })],
    ["wildcard", (i) => ({ wildcard: { k: `a*${i}` } })],
    ["range of keywords", (i) => ({ range: { k: { gte: `v${i}` } } })],
    ["ids", (i) => ({ ids: { values: [`${i}`] } })],
  ])("of boolean queries that take each other in: %s", (_name, clause) => {
    const of = (kind: string, from: number): JsonObject => ({
      bool: { [kind]: Array.from({ length: 600 }, (_, i) => clause(from + i)) },
    });
    const both = (kind: string) => ({
      query: { bool: { should: [of(kind, 0), of(kind, 600)] } },
    });

    const keywords = memoryShard({
      mapping: { properties: { t: { type: "text" }, k: { type: "keyword" } } },
      documents: [{ id: "1", source: `{"t":"x","k":"x"}` }],
    });
    const ask = (kind: string) => (): unknown => search(keywords, both(kind));

    expect(ask("should")).toThrow(`${tooWide.type}: ${tooWide.reason}`);
    expect(ask("filter")).toThrow("too_many_nested_clauses");
  });

  test("of terms that are near to others", () => {
    const near = words(300).split(" ");
    const fuzzy = (count: number, word: (i: number) => string): JsonObject => ({
      bool: { should: Array.from({ length: count }, (_, i) => ({ fuzzy: { t: word(i) } })) },
    });
    const wordOf = (i: number): string => near[i % near.length] ?? "";

    expect(problemOf({ query: fuzzy(15, wordOf) })).toBeUndefined();
    expect(problemOf({ query: fuzzy(1000, wordOf) })).toEqual(tooWide);
    expect(problemOf({ query: fuzzy(1000, (i) => `nowhere${i}`) })).toBeUndefined();
    const query = Array.from({ length: 1000 }, (_, i) => `${wordOf(i)}~`).join(" ");
    expect(problemOf({ query: { query_string: { query, default_field: "t" } } })).toEqual(tooWide);
    expect(problemOf({ query: { simple_query_string: { query, fields: ["t"] } } })).toEqual(
      tooWide,
    );
    expect(problemOf({ query: { match: { t: { query: words(1000), fuzziness: 1 } } } })).toEqual(
      tooWide,
    );
  });

  test("of one text in very many fields", () => {
    const names = Array.from({ length: 1000 }, (_, i) => `f${i}`);
    const wide = memoryShard({
      mapping: { properties: Object.fromEntries(names.map((name) => [name, { type: "text" }])) },
      documents: [{ id: "1", source: `{"f1":"w1"}` }],
      settings: { "index.mapping.total_fields.limit": "2000" },
    });
    const ask = (type: string, text: string) => (): unknown =>
      search(wide, { query: { multi_match: { query: text, fields: names, type } } });

    for (const type of ["best_fields", "most_fields"])
      expect(ask(type, words(1000))).toThrow("too_many_nested_clauses");
    expect(ask("cross_fields", words(1000))).toThrow("too_many_nested_clauses");
    expect(ask("cross_fields", words(1025))).toThrow("maxClauseCount is set to 1024");
    expect(ask("best_fields", "w1")).not.toThrow();
  });

  test("of one position are not counted, but bounded", () => {
    const many = words(3000);
    const settings = {
      "index.analysis.filter.many.type": "synonym",
      "index.analysis.filter.many.synonyms": [`a => ${many}`],
      "index.analysis.analyzer.many.tokenizer": "standard",
      "index.analysis.analyzer.many.filter": ["many"],
    };
    const synonyms = memoryShard({
      mapping: { properties: { t: { type: "text", analyzer: "many" } } },
      documents: [{ id: "1", source: `{"t":"w1"}` }],
      settings,
    });
    const ask = (query: JsonObject) => (): unknown => search(synonyms, { query });

    expect(ask({ match: { t: "a" } })).toThrow("maxClauseCount is set to 1024");
    expect(ask({ match_phrase: { t: "a ".repeat(100_000) } })).toThrow("analysis makes more than");
    const phrases = Array.from({ length: 500 }, () => ({ match_phrase: { t: "a ".repeat(50) } }));
    expect(ask({ bool: { should: phrases } })).toThrow("analysis makes more than");
  });
});

/** Everything here was asked of OpenSearch 3.8.0; reasons are its words. */
describe("aggregations", () => {
  const n = { field: "n" };
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, { term: { n: i } }]));

  function rootOf(agg: JsonObject): { readonly type: string; readonly reason: string } | undefined {
    const body = { size: 0, aggs: { a: agg } };
    try {
      checkSearchBody(coreLanguage, utf8Encode(textOf(body)));
      run(body);
    } catch (error) {
      let { problem } = error as OperationError;
      while (problem?.causedBy !== undefined) problem = problem.causedBy;
      return { type: problem.type, reason: problem.reason ?? "" };
    }
    return undefined;
  }

  const outOfRange = (value: string) =>
    `Numeric value (${value}) out of range of \`int\` (-2147483648 - 2147483647)`;

  test.each([
    [{ terms: { ...n, size: 1e30 } }, outOfRange("1e+30")],
    [{ terms: { ...n, size: 2 ** 31 } }, outOfRange("2147483648")],
    [{ terms: { ...n, shard_size: 2 ** 31 } }, outOfRange("2147483648")],
    [{ terms: { ...n, size: 0 } }, "[size] must be greater than 0. Found [0] in [a]"],
    [
      { terms: { ...n, min_doc_count: -1 } },
      "[minDocCount] must be greater than or equal to 0. Found [-1] in [a]",
    ],
    [
      { terms: { ...n, min_doc_count: 1e30 } },
      "Numeric value (1e+30) out of range of `long` (-9223372036854775808 - 9223372036854775807)",
    ],
    [
      { terms: { ...n, include: { partition: 0, num_partitions: 0 } } },
      "Partition must be >=0 and < numPartition which is 0",
    ],
    [
      { histogram: { ...n, interval: 5, min_doc_count: -1 } },
      "[minDocCount] must be greater than or equal to 0. Found [-1] in [a]",
    ],
    [{ histogram: { ...n, interval: 0 } }, "[interval] must be >0 for histogram aggregation [a]"],
    ...(["extended_bounds", "hard_bounds"] as const).map(
      (bounds) =>
        [
          {
            date_histogram: {
              ...{ ...n, calendar_interval: "month", time_zone: "Europe/Berlin" },
              [bounds]: { min: -Infinity, max: 5 },
            },
          },
          "Numeric value (-Infinity) out of range of `long` (-9223372036854775808 - 9223372036854775807)",
        ] satisfies [JsonObject, string],
    ),
    [
      { date_histogram: { ...n, calendar_interval: "month", offset: Infinity } },
      "Numeric value (Infinity) out of range of `long` (-9223372036854775808 - 9223372036854775807)",
    ],
    [{ auto_date_histogram: { ...n, buckets: 0 } }, "buckets must be greater than 0 for [a]"],
    [{ auto_date_histogram: { ...n, buckets: 2 ** 31 - 1 } }, "buckets must be less than 2184"],
    [{ auto_date_histogram: { ...n, buckets: 2185 } }, "buckets must be less than 2184"],
    [
      { significant_terms: { field: "t", size: 0 } },
      "[size] must be greater than 0. Found [0] in [a]",
    ],
    [{ top_hits: { size: -1 } }, "[size] must be greater than or equal to 0. Found [-1] in [a]"],
    [
      { top_hits: { size: 0 } },
      "numHits must be > 0; please use TotalHitCountCollectorManager if you just need the total hit count",
    ],
    [
      { top_hits: { size: 1, from: 10_000_000 } },
      "Top hits result window is too large, the top hits aggregator [a]'s from + size must be less than or equal to: [100] but was [10000001]. This limit can be set by changing the [index.max_inner_result_window] index level setting.",
    ],
    [
      { adjacency_matrix: { filters: many(101) } },
      "Number of filters is too large, must be less than or equal to: [100] but was [101].This limit can be set by changing the [index.max_adjacency_matrix_filters] index level setting.",
    ],
    [
      { composite: { size: 65_536, sources: [{ x: { terms: n } }] } },
      "Trying to create too many buckets. Must be less than or equal to: [65535] but was [65536]. This limit can be set by changing the [search.max_buckets] cluster level setting.",
    ],
    [
      { terms: n, aggs: { s: { bucket_sort: { size: -1 } } } },
      "[size] must be a positive integer: [-1]",
    ],
  ])("of what cannot be had are refused: %j", (agg, reason) => {
    expect(rootOf(agg)?.reason).toBe(reason);
  });

  test("in each other are followed as deep as JSON may be", () => {
    let agg: JsonObject = { avg: n };
    for (let i = 0; i < 450; i += 1) agg = { filter: { match_all: {} }, aggs: { a: agg } };

    expect(rootOf(agg)).toBeUndefined();
    expect(search(shard, { size: 0, aggs: { a: agg } }).aggregations).toBeDefined();
  });

  test.each([
    { histogram: { ...n, interval: 1e-7, min_doc_count: 0 } },
    { histogram: { ...n, interval: 1, min_doc_count: 0, extended_bounds: { min: 0, max: 1e15 } } },
    { date_histogram: { ...n, fixed_interval: "1s", extended_bounds: { min: 0, max: 1e14 } } },
  ])("that would fill in without end stop at search.max_buckets: %j", (agg) => {
    expect(() => search(shard, { size: 0, aggs: { a: agg } })).toThrow(
      "Trying to create too many buckets. Must be less than or equal to: [65535] but was [65536].",
    );
  });
});

test("clauses of a boolean query that are the same are one, as for the product", () => {
  const { view: small } = memoryShard({
    mapping: { properties: { a: { type: "text" }, b: { type: "keyword" }, n: { type: "long" } } },
    documents: [{ id: "1", source: `{"a":"x","b":"x","n":1}` }],
  });
  const ask = (query: JsonObject) => () => executeQueryPhase(small, { query }, { nowMs: 0 });
  const nineHundred = (make: (i: number) => string): string =>
    Array.from({ length: 900 }, (_, i) => make(i)).join(" ");

  expect(ask({ query_string: { query: nineHundred(() => "x~") } })).not.toThrow();
  expect(ask({ query_string: { query: nineHundred(() => "5") } })).not.toThrow();
  expect(ask({ query_string: { query: nineHundred((i) => `x${i}~`) } })).not.toThrow();
  expect(ask({ query_string: { query: nineHundred((i) => `x${i}`) } })).toThrow(
    "too_many_nested_clauses",
  );
});

describe("lists that no search needs", () => {
  const many = (count: number): readonly JsonObject[] =>
    Array.from({ length: count }, (_, i) => ({ field: `f${i}` }));
  const check = (body: JsonObject) =>
    checkSearchBody(coreLanguage, utf8Encode(JSON.stringify(body)));

  test("are refused before they are read, and told by name", () => {
    for (const [body, told] of [
      [{ docvalue_fields: many(10_001) }, "[docvalue_fields] has [10001] objects or lists"],
      [
        { aggs: Object.fromEntries(many(10_001).map((agg, i) => [i, { min: agg }])) },
        "[aggs] has [10001] members",
      ],
    ] as const) {
      expect(() => check(body)).toThrow(
        expect.objectContaining({
          problem: expect.objectContaining({
            status: 400,
            reason: expect.stringContaining(told) as string,
          }) as object,
        }) as Error,
      );
    }
  });

  test("are refused where each plain value is work", () => {
    const percents = Array.from({ length: 10_001 }, (_, i) => i / 101);

    expect(() => check({ aggs: { p: { percentiles: { field: "n", percents } } } })).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ status: 400 }) as object,
      }) as Error,
    );
  });

  test("do not concern plain values, and clauses, which have limits of their own", () => {
    const values = Array.from({ length: 60_000 }, (_, i) => i);
    const should = many(20_000).map(() => ({ match_all: {} }));

    expect(() => check({ query: { terms: { n: values } } })).not.toThrow();
    expect(() => check({ query: { bool: { should } } })).not.toThrow();
    expect(() => check({ docvalue_fields: many(10_000) })).not.toThrow();
  });
});

test("what would give buckets and scores that are no numbers is refused", () => {
  const decay = (n: JsonObject): JsonObject => ({
    query: { function_score: { linear: { n } } },
  });
  const interval = "9".repeat(400);
  const histogram = (options: JsonObject): JsonObject => ({
    size: 0,
    aggs: { h: { date_histogram: { field: "d", ...options } } },
  });

  expect(problemOf(decay({ origin: "now", scale: 1 }))).toMatchObject({
    reason: expect.stringContaining('For input string: "now"') as string,
  });
  expect(problemOf(decay({ origin: 1, scale: "1d" }))).toMatchObject({ status: 400 });
  expect(problemOf(decay({ scale: 1 }))).toMatchObject({ status: 400 });
  expect(problemOf(decay({ origin: 1, scale: 0 }))).toMatchObject({
    reason: expect.stringContaining("invalid score: NaN") as string,
  });
  for (const options of [{ fixed_interval: `${interval}d` }, { interval: 1e-320 }])
    expect(problemOf(histogram(options))).toMatchObject({ status: 400 });
});

test("numbers of very many digits are out of range, and read no slower", () => {
  const digits = "9".repeat(1_000_000);

  const { reason } = problemOf({ query: { term: { n: digits } } }) as { readonly reason: string };

  expect(reason.endsWith("is out of range for a long")).toBe(true);
  expect(run({ query: { range: { n: { lte: digits } } } }).totalHits?.value).toBe(300);
  expect(run({ query: { term: { n: `${"0".repeat(1000)}5` } } }).totalHits?.value).toBe(1);
});

test("objects whose members are named as methods are refused, or text, and never asked for it", () => {
  const strange = { toString: null, valueOf: 1 };
  const wrong: readonly JsonObject[] = [
    { query: { function_score: { linear: { n: { origin: strange, scale: 1 } } } } },
    { query: { term: { t: { value: strange } } } },
    { sort: [{ n: { missing: strange } }] },
    { sort: ["n"], search_after: [strange] },
    { aggs: { a: { terms: { field: "n", missing: strange } } } },
  ];

  for (const body of wrong) expect(problemOf(body)).not.toBeInstanceOf(TypeError);
});
