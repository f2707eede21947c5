/** A page of hits takes no more memory than a request may: it is refused before it is printed. */
import type { JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { executeFetchPhase, fetchPhaseSteps } from "../src/index.ts";
import { Budget } from "../src/work/budget.ts";
import { allSteps } from "../src/work/steps.ts";
import { memoryShard } from "./memory-shard.ts";

const text = "x".repeat(1_000_000);
const { view } = memoryShard({
  mapping: {
    properties: { t: { type: "text", index: false }, n: { type: "long" }, d: { type: "date" } },
  },
  documents: [
    {
      id: "1",
      source: JSON.stringify({
        t: text,
        n: Array.from({ length: 2000 }, (_, i) => i),
        d: Array.from({ length: 2000 }, (_, i) => i),
      }),
    },
  ],
});
const doc = { segment: 0, doc: 0, score: 1, sort: undefined };
const page = (size: number) => Array.from({ length: size }, () => doc);

test("hits are counted as they are printed: a page of large documents is refused", () => {
  expect(executeFetchPhase(view, page(100), {}, { nowMs: 0 }).hits).toHaveLength(100);
  expect(() => executeFetchPhase(view, page(10_000), {}, { nowMs: 0 })).toThrow(
    "circuit_breaking_exception: [request] Data too large",
  );
});

test("a page whose hits leave the documents out is printed", () => {
  const { hits } = executeFetchPhase(view, page(10_000), { _source: false }, { nowMs: 0 });

  expect(hits).toHaveLength(10_000);
});

const long = `'${"x".repeat(100_000)}'yyyy`;
test.each<readonly [string, JsonObject]>([
  ["columns", { docvalue_fields: [{ field: "d", format: long }] }],
  ["numbers", { docvalue_fields: [{ field: "n", format: `0${"x".repeat(100_000)}` }] }],
  ["sources", { fields: [{ field: "d", format: long }] }],
])("long formats of many values are refused: %s", (_, body) => {
  expect(() => executeFetchPhase(view, [doc], { _source: false, ...body }, { nowMs: 0 })).toThrow(
    "circuit_breaking_exception: [request]",
  );
});

test("hits of a phase without turns take from the budget they are given", () => {
  const budget = new Budget();
  budget.step(1000);

  executeFetchPhase(view, page(3), {}, { nowMs: 0, budget });

  expect(budget.stepsTaken).toBeGreaterThanOrEqual(1000);
});

test("what is made for one hit is given back once it is printed", () => {
  const body = { _source: false, docvalue_fields: ["n"], fields: ["t"] };
  const steps = fetchPhaseSteps(view, page(100), body, { nowMs: 0, isTurnOver: () => true });

  expect(allSteps(steps).hits).toHaveLength(100);
});

test("patterns of a source filter are compared with each path once, and many with many paths are refused", () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => [`key${i}`, i] as const);
  const items = Array.from({ length: 20_000 }, (_, i) => ({ a: i, b: { c: i } }));
  const { view: keyed } = memoryShard({
    mapping: { dynamic: false, properties: {} },
    documents: [
      { id: "1", source: JSON.stringify({ items }) },
      { id: "2", source: JSON.stringify(Object.fromEntries(keys)) },
    ],
  });
  const globs = Array.from({ length: 2000 }, (_, i) => `*x${i}y*`);
  const fetch = (at: number) =>
    executeFetchPhase(
      keyed,
      [{ ...doc, doc: at }],
      { _source: ["items.b.*", ...globs] },
      { nowMs: 0 },
    );
  const [hit] = fetch(0).hits;

  expect(new TextDecoder().decode(hit?.source)).toContain('"items":[{"b":{"c":0}},{"b":{"c":1}}');
  expect(() => fetch(1)).toThrow("circuit_breaking_exception: [request] Too much work");
});
