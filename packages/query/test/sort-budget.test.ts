/** Sorts take memory and work from the budget of their request. */
import type { JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { executeQueryPhase } from "../src/index.ts";
import { memoryShard } from "./memory-shard.ts";

const { view } = memoryShard({
  mapping: { properties: { n: { type: "long" }, g: { type: "geo_point" } } },
  documents: Array.from({ length: 10_000 }, (_, i) => ({
    id: String(i),
    source: `{"n":${i},"g":[${i % 90},1]}`,
  })),
});
const sort = (sorts: readonly JsonObject[], size: number) => () =>
  executeQueryPhase(view, { size, sort: sorts }, { nowMs: 0 });

test("values of very many sort keys are refused before any document is looked at", () => {
  const keys = (count: number) => Array.from({ length: count }, () => ({ n: "asc" }));

  expect(sort(keys(5), 10_000)).not.toThrow();
  expect(sort(keys(2000), 10_000)).toThrow("circuit_breaking_exception");
});

test("distances to very many points are refused after some seconds of work", () => {
  const points = (count: number) => Array.from({ length: count }, (_, i) => [i % 90, 2]);
  const byDistance = (count: number) => [{ _geo_distance: { g: points(count), order: "asc" } }];

  expect(sort(byDistance(10), 10)).not.toThrow();
  expect(sort(byDistance(20_000), 10)).toThrow("circuit_breaking_exception");
});
