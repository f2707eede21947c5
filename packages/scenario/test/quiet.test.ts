/** How much of the phase of faults is waited for where time is real. */
import { expect, test } from "vitest";
import { parseScenario } from "../src/index.ts";
import { quietMsOf } from "../src/quiet.ts";

const quietOf = (lines: string): number =>
  quietMsOf(
    parseScenario(
      "test.yaml",
      `name: test/quiet
claim: Used by tests.
indices: { books: { shards: 1, replicas: 1 } }
${lines}
phases: { faults: 30s, converge: 60s }
checkers: [converges-to-green]
`,
    ),
  );

const writing = "workload: { kind: bulk, index: books, clients: 1, for: 3s }";

test("the phase is quiet a moment after the last thing that has a time", () => {
  expect(quietOf(writing)).toBe(5000);
  expect(quietOf(`${writing}\nfaults: [{ kind: crash, node: any, from: 4s, for: 1s }]`)).toBe(7000);
  expect(quietOf(`${writing}\ntimeline: [{ within: [1s, 8s], request: GET / }]`)).toBe(10_000);
});

test("what waits for a condition has no time, as it is waited for in any case", () => {
  const crash = "{ kind: crash, node: any }, for: 1s";

  expect(quietOf(`${writing}\ntimeline: [{ when: { nodes: 3 }, fault: ${crash} }]`)).toBe(5000);
});

test("the phase is never quiet with a client or a fault that has no end", () => {
  expect(quietOf("workload: { kind: bulk, index: books, clients: 1 }")).toBe(30_000);
  expect(quietOf(`${writing}\nfaults: [{ kind: crash, node: any, from: 1s }]`)).toBe(30_000);
});
