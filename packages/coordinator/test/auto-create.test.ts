/** Indices that a write names and that are not there: when they are made, and when not. */
import { OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createMissing } from "../src/auto-create.ts";
import { clusterOf, createTestCluster, withIndex, type ClusterOptions } from "./world.ts";

const nobody = (): never => {
  throw new Error("nobody is asked");
};

function clusterWith(rule?: string, rest: Partial<ClusterOptions> = {}) {
  const state = clusterOf(1);
  const persistentSettings = rule === undefined ? {} : { "action.auto_create_index": rule };
  const metadata = { ...state.metadata, persistentSettings };
  return createTestCluster({ state: { ...state, metadata }, answer: nobody, ...rest });
}

async function create(cluster: ReturnType<typeof clusterWith>, ...names: string[]) {
  const problems = await cluster.outcome(createMissing(cluster.deps, names, 10_000));
  if (problems instanceof Error) throw problems;
  return {
    made: cluster.submitted.map((task) => (task.kind === "create-index" ? task.name : task.kind)),
    problems: new Map([...problems].map(([name, { type }]) => [name, type])),
    reasons: [...problems.values()].map(({ reason }) => reason),
  };
}

test("an index is made once, whatever names it, and one that is there is not", async () => {
  const cluster = clusterWith();
  cluster.setState(withIndex(cluster.state(), "books", { aliases: { library: {} } }));

  const { made, problems } = await create(cluster, "new", "books", "library", "new");

  expect(made).toEqual(["new"]);
  expect(problems.size).toBe(0);
  expect(cluster.state().metadata.indices.has("new")).toBe(true);
});

test("date math is resolved before the index is made", async () => {
  const { made } = await create(clusterWith(), "<logs-{now/d}>");

  expect(made).toEqual(["logs-2026.02.03"]);
});

test("a name that no index may have is its item's problem", async () => {
  const { made, problems } = await create(clusterWith(), "Upper", "fine");

  expect(made).toEqual(["fine"]);
  expect(problems).toEqual(new Map([["Upper", "invalid_index_name_exception"]]));
});

describe("action.auto_create_index", () => {
  test.each([
    ["true", ["logs", "books"]],
    ["false", []],
    ["logs*", ["logs"]],
    ["+logs*,-b*", ["logs"]],
    ["-logs,+*", ["books"]],
    ["l.gs", []],
  ])("%s lets %j be made", async (rule, expected) => {
    const { made, problems } = await create(clusterWith(rule), "logs", "books");

    expect(made).toEqual(expected);
    expect([...problems.values()]).toEqual(
      Array(2 - expected.length).fill("index_not_found_exception"),
    );
  });

  test.each([
    ["false", "no such index [books] and [action.auto_create_index] is [false]"],
    ["logs*", "no such index [books] and [action.auto_create_index] ([logs*]) doesn't match"],
    [
      "-b*",
      "no such index [books] and [action.auto_create_index] contains [-b*] which forbids automatic creation of the index",
    ],
  ])("%s says why not", async (rule, reason) => {
    expect((await create(clusterWith(rule), "books")).reasons).toEqual([reason]);
  });
});

test("an index that another node made first is waited for until it is known here", async () => {
  const cluster = clusterWith(undefined, {
    submit: async () => {
      const reason = "index [books/x] already exists";
      throw new OperationError({ type: "resource_already_exists_exception", reason, status: 400 });
    },
  });
  cluster.after(200, () => cluster.setState(withIndex(cluster.state(), "books")));

  const { problems } = await create(cluster, "books");

  expect(problems.size).toBe(0);
  expect(cluster.state().metadata.indices.has("books")).toBe(true);
});

test("what the cluster manager refuses is its items' problem", async () => {
  const cluster = clusterWith(undefined, {
    submit: async () => {
      throw new OperationError({ type: "validation_exception", reason: "too many", status: 400 });
    },
  });

  expect((await create(cluster, "books")).problems).toEqual(
    new Map([["books", "validation_exception"]]),
  );
});
