/** Which scripts are compiled, how often, and how much of a shard's time they take. */
import type { JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  coreLanguage,
  DEFAULT_SCRIPT_SETTINGS,
  executeQueryPhase,
  restrictedView,
  ScriptCompiler,
  withBudget,
  SharedMemory,
  queryPhaseSteps,
  type ScriptEngine,
} from "../src/index.ts";
import { ids, memoryShard, search } from "./memory-shard.ts";

interface Compiled {
  readonly compiler: ScriptCompiler;
  readonly sources: readonly string[];
  /** The time. */
  pass(ms: number): void;
  compile(source: string): unknown;
}

/** An engine that remembers what it was asked to compile. */
function counting(cache: Partial<ReturnType<typeof DEFAULT_SCRIPT_SETTINGS.cacheOf>>): Compiled {
  const sources: string[] = [];
  let nowMs = 0;
  const engine: ScriptEngine = {
    contexts: ["filter"],
    compile: (source) => {
      sources.push(source);
      return { filter: { bind: () => ({ needsScore: false, open: () => () => true }) } };
    },
  };
  const defaults = DEFAULT_SCRIPT_SETTINGS.cacheOf("filter");
  const settings = { ...DEFAULT_SCRIPT_SETTINGS, cacheOf: () => ({ ...defaults, ...cache }) };
  const compiler = new ScriptCompiler({
    engines: new Map([["counted", engine]]),
    settings: () => settings,
    nowMs: () => nowMs,
  });
  return {
    compiler,
    sources,
    pass: (ms) => {
      nowMs += ms;
    },
    compile: (source) =>
      compiler.compile(
        { kind: "inline", lang: "counted", source, options: {}, params: {} },
        "filter",
      ),
  };
}

describe("compiled scripts", () => {
  test("are kept, and the one used longest ago goes first", () => {
    const { compile, sources } = counting({ maxScripts: 2 });
    for (const source of ["a", "b", "a", "c", "a", "b"]) compile(source);
    expect(sources).toEqual(["a", "b", "c", "b"]);
  });

  test("are kept while their sources are short enough", () => {
    const { compile, sources } = counting({ maxScripts: 100 });
    const long = (word: string): string => word.repeat(60_000);
    for (const word of ["a", "b", "c", "d", "a"]) compile(long(word));
    expect(sources).toHaveLength(5);
    for (const word of ["c", "d", "a"]) compile(long(word));
    expect(sources).toHaveLength(5);
  });

  test("expire when nobody uses them", () => {
    const { compile, sources, pass } = counting({ expiresAfterMs: 10 });
    compile("a");
    pass(10);
    compile("a");
    pass(11);
    compile("a");
    expect(sources).toEqual(["a", "a"]);
  });

  test("are compiled at the rate of a token bucket", () => {
    const rate = { count: 2, windowMs: 1000, text: "2/1s", setting: "some.rate" };
    const { compile, sources, pass } = counting({ rate });
    compile("a");
    compile("b");
    expect(() => compile("c")).toThrow(
      "[script] Too many dynamic script compilations within, max: [2/1s]; please use indexed, or scripts with parameters instead; this limit can be changed by the [some.rate] setting",
    );
    // Kept ones take no token.
    compile("a");
    pass(500);
    compile("c");
    expect(() => compile("d")).toThrow("Too many dynamic script compilations");
    expect(sources).toEqual(["a", "b", "c"]);
  });
});

test("a script that is not compiled for its rate is named by its query", () => {
  const rate = { count: 0, windowMs: 1000, text: "0/1s", setting: "some.rate" };
  const defaults = DEFAULT_SCRIPT_SETTINGS.cacheOf("filter");
  const settings = { ...DEFAULT_SCRIPT_SETTINGS, cacheOf: () => ({ ...defaults, rate }) };
  const engines = coreLanguage.scriptEngines;
  const scripts = new ScriptCompiler({ engines, settings: () => settings, nowMs: () => 0 });
  const script = { script: { lang: "expression", source: "1+1" } };
  expect(() => executeQueryPhase(shard.view, { query: { script } }, { nowMs: 0, scripts })).toThrow(
    "failed to create query: Failed to compile inline script [1+1] using lang [expression]",
  );
  const sort = { _script: { type: "number", ...script } };
  expect(() => executeQueryPhase(shard.view, { sort }, { nowMs: 0, scripts })).toThrow(
    "circuit_breaking_exception: [script] Too many",
  );
});

describe("a script", () => {
  const compiler = (settings: Partial<typeof DEFAULT_SCRIPT_SETTINGS>): ScriptCompiler =>
    new ScriptCompiler({
      engines: coreLanguage.scriptEngines,
      settings: () => ({ ...DEFAULT_SCRIPT_SETTINGS, ...settings }),
      nowMs: () => 0,
    });
  const script = (source: string) =>
    ({ kind: "inline", lang: "expression", source, options: {}, params: {} }) as const;

  test("is refused by its type, its context and its size", () => {
    expect(() => compiler({ allowedTypes: ["stored"] }).compile(script("1"), "score")).toThrow(
      "cannot execute [inline] scripts",
    );
    expect(() => compiler({ allowedContexts: ["field"] }).compile(script("1"), "score")).toThrow(
      "cannot execute scripts using [score] context",
    );
    expect(() => compiler({ maxSizeBytes: 3 }).compile(script("1+11"), "score")).toThrow(
      "exceeded max allowed inline script size in bytes [3] with size [4] for script [1+11]",
    );
  });

  test.each([
    ["parentheses", "(".repeat(10_000)],
    ["operators in parentheses", "1|(1^(1&(1<(1<<(1+(1*(".repeat(1400)],
    ["signs", "-".repeat(10_000)],
    ["functions", "abs(".repeat(10_000)],
    ["conditions", "1?1:".repeat(10_000)],
  ])("of ten thousand %s is refused", (_, source) => {
    expect(() => compiler({}).compile(script(`${source}1`), "score")).toThrow("compile error");
  });

  test("of thirty thousand operations in a row is none too many", () => {
    const answer = search(shard, {
      query: { ids: { values: ["1"] } },
      script_fields: { v: { script: { lang: "expression", source: `1${"+1".repeat(30_000)}` } } },
    });
    expect(answer.hits[0]?.["fields"]).toEqual({ v: [30_001] });
  });

  test("of as many levels as are allowed runs", () => {
    const deep = `${"1|(1^(1&(1<(1<<(1+(1*(".repeat(70)}1${")".repeat(490)}`;
    const body = { query: { script: { script: { lang: "expression", source: deep } } } };
    expect(() => search(shard, body)).not.toThrow();
  });
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const shard = memoryShard({
  mapping: {
    properties: { n: { type: "integer" }, secret: { type: "integer" }, k: { type: "keyword" } },
  },
  documents: numbers(200).map((i) => ({
    id: String(i),
    source: JSON.stringify({ n: i, secret: i, k: i % 2 === 0 ? "even" : "odd" }),
  })),
});

test("a request of very many long scripts is refused", () => {
  const source = (i: number): string => `${i}${"+1".repeat(32_000)}`;
  const should = numbers(100).map((i) => ({
    script: { script: { lang: "expression", source: source(i) } },
  }));
  expect(() =>
    executeQueryPhase(shard.view, { query: { bool: { should } } }, { nowMs: 0 }),
  ).toThrow("circuit_breaking_exception");
});

test("a script that takes long rests between documents", () => {
  const source = `n${"+n".repeat(20_000)}`;
  const script = { lang: "expression", source, params: { n: 1 } };
  const steps = withBudget(new SharedMemory(), (budget) =>
    queryPhaseSteps(
      shard.view,
      { query: { script_score: { query: { match_all: {} }, script } } },
      { nowMs: 0, budget, isTurnOver: () => true },
    ),
  );
  let rests = 0;
  while (steps.next().done !== true) rests += 1;
  expect(rests).toBeGreaterThan(3);
});

describe("a script sees no more than its request", () => {
  const script = (source: string): JsonObject => ({ script: { lang: "expression", source } });

  test("of fields", () => {
    const hidden = { ...shard.view, mapping: shard.view.mapping };
    const view = restrictedView(hidden, { hiddenFields: ["secret"] }, { nowMs: 0 });
    const bodies: readonly JsonObject[] = [
      { query: { script: script("doc['secret'].value > 3") } },
      { sort: { _script: { type: "number", ...script("doc['secret'].value") } } },
      { aggs: { a: { sum: script("doc['secret'].value") } } },
    ];
    for (const body of bodies)
      expect(() => executeQueryPhase(view, body, { nowMs: 0 })).toThrow(
        /link error|Field \[secret\] does not exist in mappings/,
      );
  });

  test("of documents: it does not run on hidden ones", () => {
    const documents = { term: { k: "even" } };
    const view = restrictedView(shard.view, { documents }, { nowMs: 0 });
    const seen = { ...shard, view };
    // Negative scores fail the search: hidden documents would tell of themselves.
    const source = "doc['n'].value % 2 == 0 ? 1 : -1";
    const query = { script_score: { query: { match_all: {} }, ...script(source) } };
    const negative = { function_score: { script_score: script(source) } };
    for (const scored of [query, negative, { bool: { must: [query, { match_all: {} }] } }])
      expect(ids(search(seen, { query: scored, size: 200 }))).toHaveLength(100);
    expect(() => search(shard, { query })).toThrow("invalid score [-1.0]");
  });
});

test("a function without a value for nested documents fails no search", () => {
  const nested = memoryShard({
    mapping: {
      properties: { n: { type: "integer" }, parts: { type: "nested" } },
    },
    documents: [{ id: "1", source: '{"n":3,"parts":[{"m":1},{"m":2}]}' }],
  });
  const query = { function_score: { field_value_factor: { field: "n" } } };
  expect(search(nested, { query }).hits[0]?.["_score"]).toBe(3);
});

test("pipelines that read each other are refused", () => {
  const pipeline = (path: string): JsonObject => ({
    bucket_script: { buckets_path: { a: path }, script: { lang: "expression", source: "a" } },
  });
  const aggs = { x: pipeline("y"), y: pipeline("z"), z: pipeline("x") };
  const body = { aggs: { h: { histogram: { field: "n", interval: 50 }, aggs } } };
  expect(() => search(shard, body)).toThrow("Cyclical dependency found with pipeline aggregator x");
});
