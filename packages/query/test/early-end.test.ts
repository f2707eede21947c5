/** Searches that end, or show less, before all hits were seen: `terminate_after`, hits that nobody counts, scores that nobody asked for. */
import { OperationError, type Json, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { executeQueryPhase, type QueryResult } from "../src/index.ts";
import { ids, memoryShard, search, type MemoryShard } from "./memory-shard.ts";

const mapping = {
  properties: { n: { type: "integer" }, k: { type: "keyword" }, half: { type: "keyword" } },
};

/** Twenty documents, each second of which is `even`. */
function shardOf(perSegment: number): MemoryShard {
  const documents = Array.from({ length: 20 }, (_, n) => {
    const half = n % 2 === 0 ? "even" : "odd";
    return { id: String(n), source: JSON.stringify({ n, k: "a", half }) };
  });
  return memoryShard({ mapping, documents, perSegment });
}

const shard = shardOf(20);
const split = shardOf(5);

function phase({ view }: MemoryShard, body: JsonObject): QueryResult {
  return executeQueryPhase(view, body, { nowMs: 0 });
}

describe("terminate_after", () => {
  const post_filter = { term: { half: "even" } };

  test("counts documents that pass the filter after the query", () => {
    const body = { terminate_after: 4, post_filter, track_total_hits: true };
    expect(ids(search(shard, body))).toEqual(["0", "2", "4", "6"]);
    expect(ids(search(split, body))).toEqual(["0", "2", "4", "6"]);
    expect(phase(shard, body)).toMatchObject({ terminatedEarly: true, totalHits: { value: 4 } });
  });

  test("lets aggregations see every document before the first one too many", () => {
    const aggs = { greatest: { max: { field: "n" } }, all: { value_count: { field: "n" } } };
    const seen = (body: JsonObject): Json | undefined =>
      search(shard, { terminate_after: 4, aggs, ...body }).aggregations;
    expect(seen({})).toEqual({ greatest: { value: 3 }, all: { value: 4 } });
    expect(seen({ post_filter })).toEqual({ greatest: { value: 7 }, all: { value: 8 } });
    const none = { term: { half: "neither" } };
    expect(seen({ post_filter: none })).toEqual({ greatest: { value: 19 }, all: { value: 20 } });
  });

  test("ends nothing where there are no more documents", () => {
    const ended = (on: MemoryShard, terminate_after: number): boolean | undefined =>
      phase(on, { terminate_after, post_filter }).terminatedEarly;
    expect(ended(shard, 9)).toBe(true);
    expect(ended(shard, 10)).toBe(false);
    expect(ended(split, 10)).toBe(false);
    expect(ended(split, 8)).toBe(true);
  });

  test("ends the search where another segment is opened", () => {
    const query = { range: { n: { lt: 5 } } };
    expect(phase(split, { query, terminate_after: 5 }).terminatedEarly).toBe(true);
    expect(phase(shard, { query, terminate_after: 5 }).terminatedEarly).toBe(false);
  });
});

describe("a counter that may count no hit", () => {
  const counted = (body: JsonObject): Pick<QueryResult, "totalHits" | "terminatedEarly"> => {
    const { totalHits, terminatedEarly } = phase(shard, { track_total_hits: 0, ...body });
    return { totalHits, terminatedEarly };
  };
  const none = { range: { n: { gt: 99 } } };
  const aggs = { greatest: { max: { field: "n" } } };

  test("ends before it knows that there is none", () => {
    const atLeast: QueryResult["totalHits"] = { value: 0, relation: "gte" };
    expect(counted({ size: 0, query: none })).toEqual({ totalHits: atLeast });
    expect(counted({ size: 0, query: none, aggs })).toEqual({
      totalHits: atLeast,
      terminatedEarly: true,
    });
    expect(counted({ size: 0, post_filter: none })).toEqual({ totalHits: atLeast });
  });

  test("counts where the page is looked for, and where the index knows", () => {
    const exactly: QueryResult["totalHits"] = { value: 0, relation: "eq" };
    expect(counted({ size: 1, query: none })).toEqual({ totalHits: exactly });
    expect(counted({ size: 0, query: { term: { k: "b" } } })).toEqual({ totalHits: exactly });
  });
});

describe("hits in the order of a field", () => {
  const sort: Json = [{ n: "desc" }];

  test("show scores only where they are asked for", () => {
    const query = { term: { k: "a" } };
    const scores = (body: JsonObject): unknown[] =>
      search(shard, { query, sort, size: 1, ...body }).hits.map((hit) => hit["_score"]);
    expect(scores({ min_score: 0 })).toEqual([null]);
    expect(scores({ aggs: { best: { top_hits: { size: 1 } } } })).toEqual([null]);
    expect(scores({ min_score: 0, track_scores: true })).not.toEqual([null]);
    expect(scores({ min_score: 0, sort: [{ n: "desc" }, "_score"] })).not.toEqual([null]);
  });

  test("have no best score where none is shown", () => {
    expect(phase(shard, { sort, size: 0, track_scores: true }).maxScore).toBeNaN();
    expect(phase(shard, { sort, size: 1, track_scores: true }).maxScore).toBe(1);
  });
});

describe("what goes on after a hit, or in groups, is refused", () => {
  const refusal = (body: JsonObject): unknown => {
    try {
      phase(shard, body);
    } catch (error) {
      if (error instanceof OperationError) return error.problem.reason;
      throw error;
    }
    return undefined;
  };
  const collapse = { field: "k" };

  test("where the sort is the default one", () => {
    const reason = "Sort must contain at least one field.";
    expect(refusal({ sort: ["_score"], search_after: [3] })).toBe(reason);
    expect(refusal({ sort: [{ _score: "asc" }], search_after: [3] })).toBeUndefined();
  });

  test("where groups are of another field than the sort", () => {
    const reason =
      "collapse field and sort field must be the same when use `collapse` in conjunction with `search_after`";
    expect(refusal({ collapse, sort: [{ n: "asc" }], search_after: [3] })).toBe(reason);
    expect(refusal({ collapse, sort: ["k", "n"], search_after: ["a", 3] })).toBe(reason);
    expect(refusal({ collapse, sort: ["k"], search_after: ["a"] })).toBeUndefined();
    expect(refusal({ collapse, sort: ["n"] })).toBeUndefined();
  });

  test("where groups would be scored anew", () => {
    const rescore = { query: { rescore_query: { match_all: {} } } };
    const reason = "cannot use `collapse` in conjunction with `rescore`";
    expect(refusal({ collapse, rescore })).toBe(reason);
  });
});
