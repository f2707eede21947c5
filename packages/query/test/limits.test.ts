/** What a query may hold: nesting, brackets, clauses, text. Answers as OpenSearch 3.8.0 gave them, where it gave any. */
import { executeCount, executeFetchPhase, executeQueryPhase } from "../src/index.ts";
import type { JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { memoryShard } from "./memory-shard.ts";

const { view } = memoryShard({
  mapping: { properties: { t: { type: "text" }, n: { type: "long" } } },
  documents: Array.from({ length: 300 }, (_, i) => ({
    id: String(i),
    source: `{"t":"x w${i} w${i % 7}","n":${i}}`,
  })),
  perSegment: 100,
});

const run = (body: JsonObject) => executeQueryPhase(view, body, { nowMs: 0 });
const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");

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
    const body = { query: nested(wrap, 500), explain: true, highlight: { fields: { t: {} } } };

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
    const body = { query: { [kind]: { query, fields: ["t"] } }, explain: true };

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
});
