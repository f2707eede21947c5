/** The workload that fights for a few documents: what its clients do, and that the history says what they were told. */
import { expect, test } from "vitest";
import { parseScenario, type Plan } from "../src/index.ts";
import { runWorkload } from "../src/workloads/table.ts";
import { startTestWorld } from "./world.ts";

const plan: Plan = parseScenario(
  "test.yaml",
  `name: test/registers
claim: Used by tests.
indices: { books: { shards: 1, replicas: 1 } }
workload: { kind: registers, index: books, documents: 2, clients: 3, every: 5ms, timeout: 5s, requests: 60 }
phases: { faults: 1s, converge: 60s }
checkers: [converges-to-green]
`,
);

test("clients read, write, create and delete the same documents, many of the writes on a condition", async () => {
  const { world, history, tell } = await startTestWorld(3, plan);
  history.operations.length = 0;
  const [workload] = plan.workload;
  if (workload === undefined) throw new Error("the plan has a workload");

  await tell(() => runWorkload(workload, { world, history, name: "r", isOver: () => false }));

  const { operations } = history;
  expect(operations).toHaveLength(180);
  expect(new Set(operations.map(({ document }) => document))).toEqual(new Set(["r-0", "r-1"]));
  const kinds = new Set(operations.map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(["get", "index", "create", "delete"]));
  const conditional = operations.filter(({ ifSeqNo }) => ifSeqNo !== undefined);
  expect(conditional.some(({ status }) => status === 200)).toBe(true);
  const conflicts = operations.filter(({ status }) => status === 409);
  expect(conflicts.length).toBeGreaterThan(0);
  expect(conflicts.every(({ outcome }) => outcome === "unknown")).toBe(true);
  const reads = operations.filter(({ kind }) => kind === "get");
  expect(reads.some(({ read }) => read === null)).toBe(true);
  expect(reads.some(({ read }) => typeof read === "number")).toBe(true);
});
