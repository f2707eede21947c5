/** Sorts by nested documents take from the budget for each that they look at. */
import { expect, test } from "vitest";
import { queryPhaseSteps } from "../src/index.ts";
import { Budget } from "../src/work/budget.ts";
import { allSteps } from "../src/work/steps.ts";
import { memoryShard } from "./memory-shard.ts";

const { view } = memoryShard({
  mapping: { properties: { o: { type: "nested", properties: { v: { type: "long" } } } } },
  documents: [
    { id: "1", source: JSON.stringify({ o: Array.from({ length: 5000 }, (_, v) => ({ v })) }) },
  ],
});

test.each([
  [1, false],
  [100, true],
])("%i sorts by 5,000 nested documents, refused: %s", (count, isRefused) => {
  const sort = Array.from({ length: count }, (_, gte) => ({
    "o.v": { nested: { path: "o", filter: { range: { "o.v": { gte } } } } },
  }));
  const budget = new Budget();
  budget.step(99_900_000);
  const search = () =>
    allSteps(queryPhaseSteps(view, { sort }, { nowMs: 0, budget })).topDocs[0]?.sort;

  if (isRefused) expect(search).toThrow("circuit_breaking_exception: [request] Too much work");
  else expect(search()).toEqual([0]);
});
