/** Long phases rest where their caller says so, and end at once when nobody waits for them any more. */
import { OperationError, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  countSteps,
  fetchPhaseSteps,
  queryPhaseSteps,
  statisticsSteps,
  valuesAt,
  type SearchOptions,
} from "../src/index.ts";
import { memoryShard } from "./memory-shard.ts";

const { view } = memoryShard({
  mapping: {
    properties: {
      t: { type: "text" },
      u: { type: "text" },
      k: { type: "keyword" },
      n: { type: "long" },
    },
  },
  documents: Array.from({ length: 30_000 }, (_, i) => ({
    id: String(i),
    source: `{"t":"x","u":"u${i}","k":"key-${i}","n":${i}}`,
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

const NEAR: JsonObject = {
  bool: { should: Array.from({ length: 20 }, (_, i) => ({ fuzzy: { k: `nowhere-${i}` } })) },
};

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
  [
    "a prefix of many terms",
    (options) => queryPhaseSteps(view, { size: 0, query: { prefix: { u: "u" } } }, options),
  ],
  [
    "a range of many terms",
    (options) => queryPhaseSteps(view, { size: 0, query: { range: { u: { gt: "u" } } } }, options),
  ],
  ["terms near to others", (options) => queryPhaseSteps(view, { query: NEAR }, options)],
  ["statistics of a query", (options) => statisticsSteps(view, { query: NEAR }, options)],
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

describe("one document of many fields", () => {
  const FIELDS = 400;
  const names = Array.from({ length: FIELDS }, (_, i) => `f${i}`);
  const wide = memoryShard({
    mapping: {
      properties: Object.fromEntries(
        names.map((name) => [
          name,
          { type: "text", store: true, fields: { k: { type: "keyword" } } },
        ]),
      ),
    },
    documents: [
      { id: "1", source: JSON.stringify(Object.fromEntries(names.map((name) => [name, "x y"]))) },
    ],
  });
  const query: JsonObject = { match: { f0: "x" } };
  const docs = drive((options) => queryPhaseSteps(wide.view, { query }, options)).value?.topDocs;

  const bodies: readonly (readonly [string, JsonObject])[] = [
    ["highlights", { query, highlight: { require_field_match: false, fields: { "*": {} } } }],
    ["fields", { query, fields: ["*"] }],
    ["stored fields", { query, stored_fields: ["*"] }],
    ["columns", { query, docvalue_fields: ["*"] }],
    [
      "patterns that match nothing",
      { query, highlight: { fields: Object.fromEntries(names.map((name) => [`${name}z*`, {}])) } },
    ],
  ];

  test.each(bodies)("is fetched with a rest between fields: %s", (_name, body) => {
    const fetching = (options: SearchOptions) =>
      fetchPhaseSteps(wide.view, docs ?? [], body, options);

    expect(drive(fetching).rests).toBeGreaterThanOrEqual(FIELDS);
    expect(drive(fetching, 7)).toEqual({ rests: 7, error: "task_cancelled_exception" });
  });

  test("is not walked for each of them", () => {
    let walks = 0;
    const tree = new Proxy(Object.fromEntries(names.map((name) => [name, "x"])), {
      ownKeys: (target) => {
        walks += 1;
        return Reflect.ownKeys(target);
      },
    });

    expect(names.flatMap((name) => valuesAt(tree, name))).toHaveLength(FIELDS);
    expect(walks).toBe(0);
  });

  test("has the values of every way to a name with dots", () => {
    const tree = { "a.b": "1", a: [{ b: "2" }, { b: ["3", null] }], "a.b.c": "4" };

    expect(valuesAt(tree, "a.b")).toEqual(["2", "3", "1"]);
    expect(valuesAt(tree, "constructor")).toEqual([]);
  });
});
