/** Hits of earlier shards: a later shard may leave out documents and counts, never one that belongs on the page. */
import type { JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  coreLanguage,
  createEarlierShards,
  executeQueryPhase,
  type QueryResult,
} from "../src/index.ts";
import { memoryShard } from "./memory-shard.ts";

/** A shard whose documents score their number. */
function shardOf(...numbers: readonly number[]) {
  return memoryShard({
    mapping: { properties: { n: { type: "double" } } },
    documents: numbers.map((n, i) => ({ id: String(i), source: JSON.stringify({ n }) })),
  });
}

const byNumber = (more: JsonObject): JsonObject => ({
  query: { function_score: { field_value_factor: { field: "n" }, boost_mode: "replace" } },
  ...more,
});

const scores = ({ topDocs }: QueryResult): readonly number[] => topDocs.map(({ score }) => score);

describe("a later shard", () => {
  const first = shardOf(5, 4, 3);
  const second = shardOf(4.5, 3, 2);

  function after(body: JsonObject): QueryResult {
    const earlier = createEarlierShards(coreLanguage, body);
    earlier.add(executeQueryPhase(first.view, body, { nowMs: 0 }));
    return executeQueryPhase(second.view, body, { nowMs: 0, earlier: earlier.hits() });
  }

  test("leaves out documents behind a whole page of earlier ones, and equal ones", () => {
    expect(scores(after(byNumber({ size: 3 })))).toEqual([4.5]);
    expect(scores(after(byNumber({ size: 1, from: 1 })))).toEqual([4.5]);
    expect(scores(after(byNumber({ size: 1 })))).toEqual([]);
  });

  test("keeps all while a document is missing from the page", () => {
    expect(scores(after(byNumber({ size: 4 })))).toEqual([4.5, 3, 2]);
    expect(scores(after(byNumber({ size: 2, from: 2 })))).toEqual([4.5, 3, 2]);
  });

  test("counts exactly up to track_total_hits of all shards together", () => {
    expect(after(byNumber({ size: 1, track_total_hits: true })).totalHits).toEqual({
      value: 3,
      relation: "eq",
    });
    expect(after(byNumber({ size: 1, track_total_hits: 6 })).totalHits).toEqual({
      value: 3,
      relation: "eq",
    });
    expect(after(byNumber({ size: 1, track_total_hits: 5 })).totalHits?.relation).toBe("gte");
  });
});

test.each([
  { sort: ["n"] },
  { aggs: { a: { terms: { field: "n" } } } },
  { collapse: { field: "n" } },
  { terminate_after: 1 },
  { rescore: { query: { rescore_query: { match_all: {} } } } },
])("a search with %o takes nothing from earlier shards", (more) => {
  expect(createEarlierShards(coreLanguage, byNumber(more)).hits()).toBeUndefined();
});
