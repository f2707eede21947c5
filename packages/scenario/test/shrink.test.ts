/** Shrinking, without runs: a plan fails when a claim about it holds. */
import { isJsonObject, type JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { parsePlan, parseScenario } from "../src/index.ts";
import { printScenario } from "../src/print.ts";
import { shrink, type Failure } from "../src/shrink/shrink.ts";

const finding = {
  invariant: "INV-DATA-1",
  checker: "no-acknowledged-write-lost",
  says: "",
  atMs: 1,
};

const plan: JsonObject = {
  name: "test/large",
  claim: "Used by tests.",
  clusters: { main: { nodes: 5 } },
  indices: { books: { shards: 3, replicas: 1 }, others: { shards: 1, replicas: 0 } },
  workload: [
    { kind: "bulk", index: "books", clients: 4, documents: 10, every: "20ms", timeout: "5s" },
    { kind: "bulk", index: "others", clients: 1, documents: 1, every: "20ms", timeout: "5s" },
  ],
  faults: ["node-1", "node-2", "node-3", "any"].map((node) => ({
    ...{ kind: "crash", node, from: "1s", for: "1s" },
  })),
  phases: { faults: "8s", converge: "60s" },
  checkers: ["one-cluster-manager-per-term", "no-acknowledged-write-lost"],
};

/** Fails as long as these crash, and somebody writes to `books`. */
const needs =
  (nodes: readonly string[], seeds: readonly number[] = [7]) =>
  async (candidate: JsonObject, seed: number): Promise<Failure | undefined> => {
    const { faults, workload, phases } = candidate;
    if (!seeds.includes(seed) || !Array.isArray(faults) || !Array.isArray(workload))
      return undefined;
    const crashed = new Set((faults as readonly JsonObject[]).map(({ node }) => node));
    const first = (workload as readonly JsonObject[]).find(({ index }) => index === "books");
    const isLong = isJsonObject(phases) && Number.parseInt(String(phases["faults"]), 10) >= 2;
    if (first === undefined || !isLong || nodes.some((node) => !crashed.has(node)))
      return undefined;
    const operations = Number(first["documents"]) * Number(first["clients"]);
    return { finding, operations };
  };

const noHurry = { isTimeUp: () => false };

test("only what the failure needs is left", async () => {
  const shrunk = await shrink(plan, 7, { failureOf: needs(["node-2", "any"]), ...noHurry });

  expect(shrunk?.plan).toMatchObject({
    clusters: { main: { nodes: 1 } },
    workload: [{ index: "books", clients: 1, documents: 1, every: "20ms", timeout: "5s" }],
    faults: [{ node: "node-2" }, { node: "any" }],
    phases: { converge: "60s" },
    checkers: ["no-acknowledged-write-lost"],
  });
  expect(shrunk).toMatchObject({ seed: 7, operations: 1, finding });
});

test("another seed that fails in the same way will do", async () => {
  const failureOf = async (candidate: JsonObject, seed: number): Promise<Failure | undefined> => {
    const isWhole = (candidate["faults"] as readonly unknown[]).length === 4;
    return needs([], isWhole ? [7] : [2])(candidate, seed);
  };

  const shrunk = await shrink(plan, 7, { failureOf, ...noHurry });

  expect(shrunk).toMatchObject({ seed: 2, plan: { faults: [] } });
});

test("another violation is not the same", async () => {
  const failureOf = async (candidate: JsonObject, seed: number): Promise<Failure | undefined> => {
    const failure = await needs(["any"])(candidate, seed);
    const isWhole = (candidate["faults"] as readonly unknown[]).length === 4;
    return (
      failure && { ...failure, finding: isWhole ? finding : { ...finding, invariant: "INV-2" } }
    );
  };

  const shrunk = await shrink(plan, 7, { failureOf, ...noHurry });

  expect(shrunk?.plan["faults"]).toHaveLength(4);
});

test("a plan that passes cannot be shrunk", async () => {
  expect(await shrink(plan, 1, { failureOf: needs(["any"]), ...noHurry })).toBeUndefined();
});

test("when the time is up what was found so far is the answer", async () => {
  let runs = 0;
  const failureOf = async (candidate: JsonObject, seed: number): Promise<Failure | undefined> => {
    runs += 1;
    return needs(["any"])(candidate, seed);
  };

  const shrunk = await shrink(plan, 7, { failureOf, isTimeUp: () => runs >= 3 });

  expect(runs).toBe(3);
  expect(shrunk).toMatchObject({ finding, runs: 3 });
});

test("no plan is run twice under one seed", async () => {
  const runs: string[] = [];
  const failureOf = async (candidate: JsonObject, seed: number): Promise<Failure | undefined> => {
    runs.push(`${seed} ${JSON.stringify(candidate)}`);
    return needs(["node-2", "any"])(candidate, seed);
  };

  const shrunk = await shrink(plan, 7, { failureOf, ...noHurry });

  expect(shrunk?.runs).toBe(runs.length);
  expect(new Set(runs).size).toBe(runs.length);
});

test("a step that fails without clients and checkers is tried without them first", async () => {
  const timeline = [{ at: "1s", request: "GET /a" }];
  const says = "entry 1 of the timeline, GET /a: there was no answer";
  const seen: (readonly [unknown, unknown, number])[] = [];
  const failureOf = async (candidate: JsonObject, seed: number): Promise<Failure | undefined> => {
    seen.push([candidate["workload"], candidate["checkers"], seed]);
    return { finding: { invariant: "INV-LAB-1", checker: "step", says, atMs: 1 }, operations: 1 };
  };

  await shrink({ ...plan, timeline }, 7, { failureOf, ...noHurry });

  expect(seen.slice(1, 3)).toEqual([
    [plan["workload"], [], 7],
    [[], [], 7],
  ]);
  expect(seen.every(([, , seed]) => seed === 7)).toBe(true);
});

test("a step that is answered otherwise is not the same violation", async () => {
  const timeline = [{ at: "1s", request: "GET /a" }];
  const failureOf = async ({ clusters }: JsonObject): Promise<Failure | undefined> => {
    const nodes = JSON.stringify(clusters) === JSON.stringify(plan["clusters"]) ? 4 : 1;
    const says = `entry 1 of the timeline, GET /a: [nodes] is ${nodes}, not 5`;
    return { finding: { invariant: "INV-LAB-1", checker: "step", says, atMs: 1 }, operations: 1 };
  };

  const shrunk = await shrink({ ...plan, timeline }, 7, { failureOf, ...noHurry });

  expect(shrunk?.plan).toMatchObject({ clusters: plan["clusters"], faults: [] });
});

test("what is printed is a scenario that says the same", () => {
  const text = printScenario(plan, ["what it is", "how to run it"]);

  expect(text.startsWith("# what it is\n# how to run it\n")).toBe(true);
  expect(parseScenario("printed.yaml", text)).toEqual(
    parseScenario("plan.yaml", JSON.stringify(plan)),
  );
});

test("documents of a file are left out, too, as long as it fails", async () => {
  const contents = Array.from({ length: 40 }, (_, i) => ({ id: `${i}`, source: `{"a":${i}}` }));
  const indices = { books: { data: { file: "people.ndjson", contents } } };
  const given = { ...plan, indices, checkers: ["converges-to-green"] };
  const failureOf = async (candidate: JsonObject): Promise<Failure | undefined> => {
    const left = parsePlan("test", candidate).indices[0]?.data;
    const count = left !== undefined && "contents" in left ? left.contents.length : 0;
    return count < 3 ? undefined : { finding, operations: count };
  };

  const shrunk = await shrink(given, 7, { failureOf, ...noHurry });

  expect(shrunk?.plan["indices"]).toEqual({
    books: { data: { file: "people.ndjson", contents: contents.slice(0, 3) } },
  });
});

test("a step that fails is the same step, wherever it stands", async () => {
  const timeline = ["/a", "/b", "/c"].map((path) => ({ at: "1s", request: `GET ${path}` }));
  const failureOf = async ({ timeline: left }: JsonObject): Promise<Failure | undefined> => {
    const requests = (left as readonly JsonObject[]).map(({ request }) => String(request));
    // Without [/a] it is [/c] that fails first.
    const at = requests.findIndex(
      (one) => one === (requests[0] === "GET /a" ? "GET /b" : "GET /c"),
    );
    if (at < 0) return undefined;
    const says = `entry ${at + 1} of the timeline, ${requests[at]}: there was no answer`;
    return { finding: { invariant: "INV-LAB-1", checker: "step", says, atMs: 1 }, operations: 1 };
  };

  const shrunk = await shrink({ ...plan, timeline }, 7, { failureOf, ...noHurry });

  expect(shrunk?.plan["timeline"]).toMatchObject([{ request: "GET /a" }, { request: "GET /b" }]);
});
