/** What clients do, and that the history remembers what they were told. */
import { createRandom } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { newHistory, type Operation } from "../src/history.ts";
import { parseScenario, executePlan } from "../src/index.ts";
import { createChooser } from "../src/workloads/keys.ts";
import { workloads } from "../src/workloads/table.ts";
import type { ClientAnswer, World } from "../src/world.ts";
import { createTestWorld } from "./world.ts";

async function operationsOf(workload: string, seed = 1): Promise<readonly Operation[]> {
  const plan = parseScenario(
    "test.yaml",
    `name: test/workload
claim: Used by tests.
indices: { books: { data: { dataset: numbers, documents: 20 } } }
phases: { faults: 2s, converge: 60s }
workload: ${workload}
`,
  );
  const { world, tell } = createTestWorld(seed, plan);
  const history = newHistory();
  const result = { history, findings: [], doubts: [], receipts: [] };
  await tell(() => executePlan(plan, world, result));
  return history.operations.filter(({ client }) => client !== "loader");
}

test("a search remembers what was found", async () => {
  const operations = await operationsOf(
    "{ kind: search, index: books, body: { size: 3, sort: [{ value: asc }] }, requests: 2 }",
  );

  expect(operations).toHaveLength(2);
  expect(operations[0]).toMatchObject({
    kind: "search",
    outcome: "ok",
    total: 20,
    hits: [
      { document: "numbers-1", value: 1 },
      { document: "numbers-2", value: 2 },
      { document: "numbers-3", value: 3 },
    ],
  });
});

test("clients ask the first cluster when the plan names none, and the one that it names", async () => {
  const askedBy = async (workload: string): Promise<ReadonlySet<string>> => {
    const plan = parseScenario(
      "test.yaml",
      `name: test/workload
claim: Used by tests.
clusters: { left: { nodes: 2 }, right: { nodes: 2 } }
phases: { faults: 1s, converge: 10s }
workload: ${workload}
`,
    );
    const { world, tell } = createTestWorld(1, plan);
    const history = newHistory();
    await tell(() => executePlan(plan, world, { history, findings: [], doubts: [], receipts: [] }));
    return new Set(history.operations.map(({ node }) => node));
  };

  expect(await askedBy("{ kind: bulk, index: books, every: 20ms }")).toEqual(
    new Set(["left-1", "left-2"]),
  );
  expect(await askedBy("{ kind: bulk, index: books, every: 20ms, cluster: right }")).toEqual(
    new Set(["right-1", "right-2"]),
  );
});

test("requests are drawn by weight and filled in", async () => {
  const operations = await operationsOf(
    `
  kind: requests
  index: books
  mix:
    - { request: "PUT /books/_doc/{key}", body: { value: "{value}" }, weight: 8 }
    - { request: "DELETE /books/_doc/{key}" }
    - { request: "GET /_cluster/health?wait_for_status=yellow" }
  keys: 5
  clients: 2
  every: 10ms`.replace("  index: books\n", ""),
  );

  const count = (kind: Operation["kind"]): number =>
    operations.filter((operation) => operation.kind === kind).length;
  expect(count("index")).toBeGreaterThan(3 * count("delete"));
  expect(count("delete")).toBeGreaterThan(0);
  expect(count("request")).toBeGreaterThan(0);
  const write = operations.find(({ kind }) => kind === "index");
  expect(write).toMatchObject({ index: "books", outcome: "ok", wrote: expect.any(Number) });
  expect(write?.document).toMatch(/^key-[0-4]$/);
});

test("a delete that found nothing is done: it may be its own second attempt; one without an index is not", async () => {
  const [missing, elsewhere, read] = await Promise.all(
    ["DELETE /books/_doc/none", "DELETE /none/_doc/1", "GET /books/_doc/none"].map(
      async (request) =>
        (await operationsOf(`{ kind: requests, mix: [{ request: ${request} }], requests: 1 }`))[0],
    ),
  );

  expect(missing).toMatchObject({ kind: "delete", outcome: "ok", status: 404 });
  expect(missing?.seqNo).toBeTypeOf("number");
  expect(elsewhere).toMatchObject({ kind: "delete", outcome: "failed", status: 404 });
  expect(read).toMatchObject({ kind: "get", outcome: "ok", status: 404 });
});

describe("an application", () => {
  const written = (operations: readonly Operation[]): readonly Operation[] =>
    operations.filter(({ kind }) => kind !== "get");

  test("lets the cluster make ids, says which must be new, and counts versions", async () => {
    const operations = await operationsOf(
      "{ kind: application, index: books, clients: 2, every: 20ms, burst: 5 }",
    );

    const ids = operations.filter(({ hasAutoId }) => hasAutoId);
    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids.map(({ document }) => document)).size).toBe(ids.length);
    expect(new Set(written(operations).map(({ kind }) => kind))).toEqual(
      new Set(["create", "index", "delete"]),
    );
    const values = operations.flatMap(({ wrote }) => wrote ?? []);
    expect(new Set(values).size).toBe(values.length);
    const reads = operations.filter(({ read }) => typeof read === "number");
    expect(reads.length).toBeGreaterThan(0);
    for (const { read } of reads) expect(values).toContain(read);
  });

  /** The nodes that were asked, when every attempt is answered so, or after so long not at all. */
  const attemptsOf = async (
    answer: ClientAnswer | number,
    keys: { readonly retries: number; readonly retryTimeouts: boolean },
  ): Promise<readonly string[]> => {
    let nowMs = 0;
    const { world } = createTestWorld();
    const history = newHistory();
    const request: World["request"] = async () => {
      if (typeof answer !== "number") return answer;
      nowMs += answer;
      return undefined;
    };
    const sleep = async (): Promise<void> => undefined;
    const run = {
      world: { ...world, nowMs: () => nowMs, sleep, request },
      history,
      name: "app",
      isOver: () => false,
    };
    const clients = { clients: 1, everyMs: 100, timeoutMs: 300, fromMs: 0, requests: 1 };
    const what = { index: "books", to: "index", versioned: 1, burst: 1 } as const;
    await workloads.application.run({ kind: "application", ...clients, ...what, ...keys }, run);
    return history.operations.map(({ node }) => node);
  };

  test.each([429, 502, 503, 504])("that is answered %d asks every node in turn", async (status) => {
    const asked = await attemptsOf({ status, body: null }, { retries: 2, retryTimeouts: false });

    expect(asked.toSorted()).toEqual(["node-1", "node-2", "node-3"]);
  });

  test("asks again after a lost connection, and after a time-out if it is told so", async () => {
    const [lost, late] = [50, 300];

    expect(await attemptsOf(lost, { retries: 1, retryTimeouts: false })).toHaveLength(2);
    expect(await attemptsOf(late, { retries: 1, retryTimeouts: false })).toHaveLength(1);
    expect(await attemptsOf(late, { retries: 1, retryTimeouts: true })).toHaveLength(2);
  });

  test.each([201, 400, 404, 409, 500])("that is answered %d does not ask again", async (status) => {
    expect(
      await attemptsOf({ status, body: null }, { retries: 3, retryTimeouts: true }),
    ).toHaveLength(1);
  });
});

describe("keys", () => {
  const countsOf = (distribution: "uniform" | "zipf" | "sequential"): readonly number[] => {
    const choose = createChooser({ keys: 10, distribution });
    const random = createRandom("keys");
    const counts = Array.from({ length: 10 }, () => 0);
    for (let turn = 0; turn < 10_000; turn += 1) {
      const key = choose(random, turn);
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  };

  test("are all as likely, or a few most of the time, or one after the other", () => {
    const [uniform, zipf] = [countsOf("uniform"), countsOf("zipf")];

    expect(Math.max(...uniform) - Math.min(...uniform)).toBeLessThan(200);
    // The first of ten has the weight 1 of 2.93, the last 0.1.
    expect(zipf[0]).toBeGreaterThan(3200);
    expect(zipf[9]).toBeLessThan(450);
    expect(countsOf("sequential")).toEqual(Array.from({ length: 10 }, () => 1000));
  });
});
