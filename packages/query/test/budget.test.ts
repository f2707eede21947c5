/** One request takes no more memory and time than its budget, whatever the documents hold; work that can rest does so instead. */
import type { JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  coreLanguage,
  createReducer,
  executeQueryPhase,
  jsonText,
  jsonTextSteps,
  queryPhaseSteps,
  SharedMemory,
  withBudget,
  type QueryResult,
} from "../src/index.ts";
import { LazyItems } from "../src/json/printable.ts";
import { memoryShard } from "./memory-shard.ts";

const mapping = {
  properties: { k: { type: "keyword" }, n: { type: "long" }, t: { type: "text" } },
};

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const named = (count: number, aggregation: JsonObject): JsonObject =>
  Object.fromEntries(numbers(count).map((i) => [`a${i}`, aggregation]));
const below = (aggs: JsonObject): JsonObject => ({
  t: { terms: { field: "n", size: 20_000 }, aggs },
});

const { view: wide } = memoryShard({
  mapping,
  documents: numbers(2).map((i) => ({
    id: String(i),
    source: JSON.stringify({
      n: numbers(1000).map((n) => n * 2 + i),
      t: numbers(3000)
        .map((n) => `w${n}`)
        .join(" "),
      k: "x".repeat(30_000),
    }),
  })),
});

const many = { field: "n" };
test.each<readonly [string, JsonObject]>([
  ["sums below", below(named(100, { extended_stats: many }))],
  ["digests", below(named(20, { percentiles: many }))],
  ["wide digests", below(named(20, { median_absolute_deviation: many }))],
  ["distinct values", below(named(10, { cardinality: many }))],
  ["whole documents", below({ h: { top_hits: { size: 10 } } })],
  ["whole documents beside each other", named(5000, { top_hits: { size: 10 } })],
  ["filters", below({ f: { filters: { filters: numbers(2000).map(() => ({ match_all: {} })) } } })],
  ["ranges", below({ r: { range: { ...many, ranges: numbers(1000).map((from) => ({ from })) } } })],
  [
    "words of texts",
    below({ b: { terms: many, aggs: { w: { significant_text: { field: "t" } } } } }),
  ],
  ["three levels", below(below(below({})))],
])("%s of documents with a thousand values are refused", (_, aggs) => {
  expect(() => executeQueryPhase(wide, { size: 0, aggs }, { nowMs: 0 })).toThrow(
    "circuit_breaking_exception",
  );
});

test("documents whose values are many together are taken one after the other, with rests", () => {
  const documents = numbers(60).map((i) => ({
    id: String(i),
    source: JSON.stringify({ n: numbers(60) }),
  }));
  const shard = memoryShard({ mapping, documents });
  const aggs = { a: { terms: many, aggs: { b: { terms: many, aggs: named(10, { sum: many }) } } } };
  let rests = 0;
  const steps = queryPhaseSteps(
    shard.view,
    { size: 0, aggs },
    { nowMs: 0, isTurnOver: () => true },
  );
  for (let step = steps.next(); step.done !== true; step = steps.next()) rests += 1;

  expect(rests).toBeGreaterThan(50);
});

test("aggregations over one value a document rest as their number asks for", () => {
  const documents = numbers(2000).map((i) => ({
    id: String(i),
    source: JSON.stringify({ k: numbers(10).map((k) => `k${k}`), n: i }),
  }));
  const shard = memoryShard({ mapping, documents });
  const terms = { field: "k" };
  const aggs = { a: { terms, aggs: { b: { terms, aggs: named(100, { avg: many }) } } } };
  let rests = 0;
  const steps = queryPhaseSteps(
    shard.view,
    { size: 0, aggs },
    { nowMs: 0, isTurnOver: () => true },
  );
  for (let step = steps.next(); step.done !== true; step = steps.next()) rests += 1;

  expect(rests).toBeGreaterThan(10);
});

function reduced(aggs: JsonObject, result: QueryResult): { text: string; rests: number } {
  const reducer = createReducer(coreLanguage, { size: 0, aggs });
  reducer.add(0, result);
  const steps = withRests(reducer.finish(() => true));
  const { aggregations } = steps.value;
  const printed = withRests(
    jsonTextSteps(aggregations?.render({ typedKeys: false }) ?? {}, () => true),
  );
  return { text: printed.value, rests: steps.rests + printed.rests };
}

function withRests<Value>(steps: Generator<undefined, Value>): { value: Value; rests: number } {
  for (let rests = 0; ; rests += 1) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, rests };
  }
}

test.each<readonly [string, JsonObject]>([
  ["terms", { t: { terms: { ...many, size: 1000 }, aggs: { s: { stats: many } } } }],
  ["a histogram", { h: { histogram: { ...many, interval: 2 }, aggs: { s: { stats: many } } } }],
  [
    "a composite",
    {
      c: {
        composite: { size: 1000, sources: [{ n: { terms: many } }] },
        aggs: { s: { stats: many } },
      },
    },
  ],
])("the reduction of %s rests between buckets, and so does its print", (_, aggs) => {
  const result = executeQueryPhase(wide, { size: 0, aggs }, { nowMs: 0 });
  const { text, rests } = reduced(aggs, result);

  expect(rests).toBeGreaterThan(1000);
  const [answer] = Object.values(JSON.parse(text)) as { buckets: unknown[] }[];
  expect(answer?.buckets.length).toBe(1000);
});

test("lists that are printed late print as they do at once", () => {
  const value = {
    a: new LazyItems(2, (i) => ({ i, inner: new LazyItems(1, () => "x") })),
    b: new LazyItems(
      2,
      (i) => i,
      (i) => `"${i}"`,
    ),
    c: new LazyItems(0, () => null),
    d: undefined,
    e: {},
  };
  const steps = jsonTextSteps(value, () => false);

  expect(steps.next().value).toBe(jsonText(value));
  expect(JSON.parse(jsonText(value))).toEqual({
    a: [
      { i: 0, inner: ["x"] },
      { i: 1, inner: ["x"] },
    ],
    b: { '"0"': 0, '"1"': 1 },
    c: [],
    e: {},
  });
});

test("an answer that is longer than a text can be is refused", () => {
  const text = "x".repeat(2 ** 26);
  const items = new LazyItems(5, () => text);

  expect(() => jsonTextSteps({ items }, () => false).next()).toThrow("circuit_breaking_exception");
});

test("keyed filters come in the order of their names", () => {
  const shard = memoryShard({ mapping, documents: [{ id: "1", source: `{"n":1}` }] });
  const all = { match_all: {} };
  const filters = { filters: { zz: all, "10": all, "2": all } };
  const result = executeQueryPhase(shard.view, { size: 0, aggs: { f: { filters } } }, { nowMs: 0 });

  expect(reduced({ f: { filters } }, result).text).toBe(
    `{"f":{"buckets":{"10":{"doc_count":1},"2":{"doc_count":1},"zz":{"doc_count":1}}}}`,
  );
});

test("requests that are under way together share one memory, and give it back however they end", () => {
  const MB = 1024 * 1024;
  const memory = new SharedMemory();
  function* holding(bytes: number): Generator<undefined, string> {
    const result = yield* withBudget(memory, function* (budget): Generator<undefined, string> {
      budget.hold(bytes);
      yield undefined;
      return "done";
    });
    return result;
  }
  const first = holding(500 * MB);
  const small = holding(MB);

  first.next();
  expect(() => holding(200 * MB).next()).toThrow("circuit_breaking_exception");
  expect(memory.bytes).toBe(500 * MB);
  first.next();
  const second = holding(599 * MB);
  second.next();
  // A neighbour that hardly takes anything is not to blame.
  expect(small.next().done).toBe(false);
  const other = holding(7 * MB);
  other.next();
  for (const one of [second, small, other]) expect(one.next().value).toBe("done");
  expect(memory.bytes).toBe(0);
});
