/** Search bodies: what is read from them, and what is refused at which place. */
import { OperationError, utf8Decode, utf8Encode, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  coreLanguage,
  checkSearchBody,
  decodePlain,
  encodePlain,
  executeQueryPhase,
  queryPhaseSteps,
  filterSource,
  jsonText,
  parseJson,
  searchBodyOf,
  searchRequestOf,
  type Plain,
} from "../src/index.ts";
import { ids, memoryShard, search } from "./memory-shard.ts";

function problemOf(body: string) {
  try {
    checkSearchBody(coreLanguage, utf8Encode(body));
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
  return expect.unreachable();
}

describe("a bad search body is refused with its place", () => {
  test.each([
    ['{"quer":{}}', "Unknown key for a START_OBJECT in [quer].", 1, 9],
    ['{"query":[]}', "Unknown key for a START_ARRAY in [query].", 1, 10],
    ['{"query":{"foo":{}}}', "unknown query [foo]", 1, 17],
    ['{"query":{"boool":{}}}', "unknown query [boool] did you mean [bool]?", 1, 19],
    ['{"query":{"match":"x"}}', "[match] query malformed, no start_object after query name", 1, 19],
    [
      '{"query":{"match":{"t":"x","k":"y"}}}',
      "[match] query doesn't support multiple fields, found [t] and [k]",
      1,
      32,
    ],
    [
      '{"query":{"match":{"t":{"query":"x","oprator":"and"}}}}',
      "[match] query does not support [oprator]",
      1,
      47,
    ],
    ['{"query":{"term":{"k":["a","b"]}}}', "[term] query does not support array of values", 1, 23],
    ['{"aggs":{"a":{"foo":{}}}}', "Unknown aggregation type [foo]", 1, 21],
    ['{\n "query":{\n  "foo":{}}}', "unknown query [foo]", 3, 9],
  ])("%s", (body, reason, line, col) => {
    expect(problemOf(body)).toMatchObject({
      type: "parsing_exception",
      reason,
      status: 400,
      metadata: { line, col },
    });
  });

  test.each([
    [
      '{"query":{"bool":{"mustt":[]}}}',
      "[1:19] [bool] unknown field [mustt] did you mean any of [must, mustNot, must_not]?",
    ],
    [
      '{"query":{"bool":{"must":"x"}}}',
      "[1:26] [bool] must doesn't support values of type: VALUE_STRING",
    ],
    ['{"query":{"bool":{"must":[{"foo":{}}]}}}', "[1:34] [bool] failed to parse field [must]"],
  ])("%s", (body, reason) => {
    expect(problemOf(body)).toMatchObject({ type: "x_content_parse_exception", reason });
  });
});

describe("JSON", () => {
  test("integers beyond 2^53 survive reading and printing", () => {
    expect(jsonText(parseJson(utf8Encode('{"a":[18446744073709551615,1,2.5,"x"]}')))).toBe(
      '{"a":[18446744073709551615,1,2.5,"x"]}',
    );
  });

  test("source filtering keeps values as they were sent", () => {
    const filter = (includes: string[], excludes: string[]): string =>
      utf8Decode(
        filterSource(utf8Encode('{"a":{"b":1.0,"c":[{"d":1e3,"e":2}]},"f":"x"}'), {
          includes,
          excludes,
        }),
      );
    expect(filter(["a.b"], [])).toBe('{"a":{"b":1.0}}');
    expect(filter(["a.*"], ["*.e"])).toBe('{"a":{"b":1.0,"c":[{"d":1e3}]}}');
    expect(filter([], ["a"])).toBe('{"f":"x"}');
    expect(filter(["nothing"], [])).toBe("{}");
  });

  test("the codec gives back what it was given", () => {
    const value: Plain = {
      a: [1, -5, 2.5, Number.NaN, 1n << 62n, "é", null, true],
      b: new Uint8Array([1, 2]),
      c: { d: [] },
    };
    expect(decodePlain(encodePlain(value))).toEqual(value);
  });
});

describe("a search", () => {
  const mapping: JsonObject = {
    properties: { t: { type: "text" }, k: { type: "keyword" }, n: { type: "long" } },
  };
  const shard = memoryShard({
    mapping,
    documents: [
      { id: "1", source: '{"t":"quick brown fox","k":"a","n":1}' },
      { id: "2", source: '{"t":"lazy dog","k":"b","n":2}' },
      { id: "3", source: '{"t":"quick dog","k":"a"}' },
    ],
  });

  test("takes the query of the URI", () => {
    const body = searchBodyOf({ q: "t:quick AND k:a", size: 1, sort: ["n:desc"] }, {});
    expect(ids(search(shard, body))).toEqual(["1"]);
  });

  test("counts at least as far as it is told", () => {
    expect(search(shard, { track_total_hits: 2, size: 0 }).total).toEqual({
      value: 2,
      relation: "gte",
    });
    expect(search(shard, { track_total_hits: false, size: 1 }).total).toBeUndefined();
  });

  test("ends early when nobody wants hits and their number is known, if it aggregates", () => {
    const aggs = { m: { max: { field: "n" } } };
    const ended = (body: JsonObject) =>
      executeQueryPhase(shard.view, body, { nowMs: 0 }).terminatedEarly;
    expect(ended({ size: 0, aggs })).toBe(true);
    expect(ended({ size: 0, aggs, query: { term: { k: "a" } } })).toBe(true);
    expect(ended({ size: 0, aggs, query: { terms: { k: ["a", "b"] } }, track_total_hits: 1 })).toBe(
      true,
    );
    expect(ended({ size: 0, aggs, query: { terms: { k: ["a", "b"] } } })).toBeUndefined();
    expect(ended({ size: 0, aggs, post_filter: { term: { k: "a" } } })).toBeUndefined();
    expect(ended({ size: 1, aggs })).toBeUndefined();
    expect(ended({ size: 0 })).toBeUndefined();
    expect(ended({ size: 0, aggs, terminate_after: 9 })).toBe(false);
  });

  test("marks the words it found", () => {
    const [hit] = search(shard, {
      query: { match: { t: "fox" } },
      highlight: { fields: { t: {} } },
    }).hits;
    expect(hit?.["highlight"]).toEqual({ t: ["quick brown <em>fox</em>"] });
  });

  test("names the queries that matched", () => {
    const query = {
      bool: {
        should: [
          { term: { k: { value: "a", _name: "is-a" } } },
          { range: { n: { gte: 2, _name: "big" } } },
        ],
      },
    };
    const named = Object.fromEntries(
      search(shard, { query }).hits.map((hit) => [hit["_id"], hit["matched_queries"]]),
    );
    expect(named).toEqual({ 1: ["is-a"], 2: ["big"], 3: ["is-a"] });
  });

  test("refuses windows beyond the limit", () => {
    expect(() => executeQueryPhase(shard.view, { from: 9999, size: 2 }, { nowMs: 0 })).toThrow(
      "Result window is too large, from + size must be less than or equal to: [10000] but was [10001]",
    );
  });

  test("taken in turns finds what it finds at once, and can be cancelled between two of them", () => {
    const documents = Array.from({ length: 5000 }, (_, i) => ({
      id: String(i),
      source: `{"k":"${i % 3}","t":"word"}`,
    }));
    const { view } = memoryShard({ mapping, documents });
    const body = {
      query: { match: { t: "word" } },
      aggs: { k: { terms: { field: "k" } } },
      sort: [{ k: "desc" }],
    };
    const steps = queryPhaseSteps(view, body, { nowMs: 0, isTurnOver: () => true });
    let turns = 0;
    let step = steps.next();
    for (; step.done !== true; turns += 1) step = steps.next();

    // One before the segment.
    expect(turns).toBe(1 + Math.ceil(5000 / 128 / 4));
    expect(step.value).toEqual(executeQueryPhase(view, body, { nowMs: 0 }));

    const cancelled = { is: false };
    const checkCancelled = (): void => {
      if (cancelled.is) throw new Error("cancelled");
    };
    const other = queryPhaseSteps(view, body, { nowMs: 0, isTurnOver: () => true, checkCancelled });
    expect(other.next().done).toBe(false);
    cancelled.is = true;
    expect(() => other.next()).toThrow("cancelled");
  });

  test("of a nested field joins its objects to their document", () => {
    const nested = memoryShard({
      mapping: {
        properties: {
          c: { type: "nested", properties: { who: { type: "keyword" }, stars: { type: "long" } } },
        },
      },
      documents: [
        { id: "1", source: '{"c":[{"who":"ann","stars":1},{"who":"bob","stars":5}]}' },
        { id: "2", source: '{"c":[{"who":"ann","stars":5}]}' },
      ],
    });
    const both = { bool: { must: [{ term: { "c.who": "ann" } }, { term: { "c.stars": 5 } }] } };
    expect(ids(search(nested, { query: { nested: { path: "c", query: both } } }))).toEqual(["2"]);
    expect(search(nested, {}).total).toEqual({ value: 2, relation: "eq" });
  });
});

test("a body that is checked twice is read twice, and a copy of it anew", () => {
  const body = { size: 3 } as const;
  const bytes = utf8Encode(jsonText(body));
  checkSearchBody(coreLanguage, bytes, () => body);
  checkSearchBody(coreLanguage, bytes, () => body);

  expect(searchRequestOf(coreLanguage, body).size).toBe(3);
  expect(searchRequestOf(coreLanguage, { ...body, size: 4 }).size).toBe(4);
});
