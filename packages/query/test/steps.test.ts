/** Long phases rest where their caller says so, and end at once when nobody waits for them any more. */
import { OperationError, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { countSteps, fetchPhaseSteps, queryPhaseSteps, type SearchOptions } from "../src/index.ts";
import { memoryShard } from "./memory-shard.ts";

const { view } = memoryShard({
  mapping: { properties: { t: { type: "text" }, k: { type: "keyword" }, n: { type: "long" } } },
  documents: Array.from({ length: 30_000 }, (_, i) => ({
    id: String(i),
    source: `{"t":"x","k":"key-${i}","n":${i}}`,
  })),
  perSegment: 15_000,
});

/** Runs until it is done, resting whenever it may; cancelled at a rest, or never. */
function drive<T>(start: (options: SearchOptions) => Generator<undefined, T>, cancelAt = Infinity) {
  let isCancelled = false;
  let rests = 0;
  const steps = start({
    nowMs: 0,
    isTurnOver: () => true,
    checkCancelled: () => {
      if (!isCancelled) return;
      throw new OperationError({ type: "task_cancelled_exception", reason: null, status: 400 });
    },
  });
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return { rests, value: step.value };
      rests += 1;
      isCancelled = rests >= cancelAt;
    }
  } catch (error) {
    return { rests, error: (error as OperationError).problem.type };
  }
}

const top = (size: number) => drive((options) => queryPhaseSteps(view, { size }, options)).value;

const phases: readonly (readonly [
  string,
  (options: SearchOptions) => Generator<undefined, unknown>,
])[] = [
  [
    "a query",
    (options) =>
      queryPhaseSteps(
        view,
        { query: { match: { t: "x" } }, sort: [{ n: "desc" }], track_scores: true },
        options,
      ),
  ],
  [
    "aggregations",
    (options) =>
      queryPhaseSteps(view, { size: 0, aggs: { n: { terms: { field: "n" } } } }, options),
  ],
  [
    "a count",
    (options) =>
      countSteps(
        view,
        { query: { bool: { must: [{ match: { t: "x" } }, { range: { n: { gte: 1 } } }] } } },
        options,
      ),
  ],
  [
    "a fetch",
    (options) => fetchPhaseSteps(view, top(500)?.topDocs ?? [], {} as JsonObject, options),
  ],
  [
    "a pattern over many terms",
    (options) => queryPhaseSteps(view, { query: { wildcard: { k: "*nowhere*" } } }, options),
  ],
];

describe.each(phases)("%s", (_name, start) => {
  test("rests, and answers as without a rest", () => {
    const { rests, value } = drive(start);

    expect(rests).toBeGreaterThan(5);
    expect(value).toBeDefined();
  });

  test("ends at the first look after it was cancelled", () => {
    expect(drive(start, 5)).toEqual({ rests: 5, error: "task_cancelled_exception" });
  });
});
