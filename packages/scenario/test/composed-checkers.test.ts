/** The table of checkers is composed: parser, runs, exploration and schema know the rows that they are given, and no others. */
import { OperationError, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { Checker } from "../src/checkers/checker.ts";
import {
  applicableCheckers,
  composeCheckers,
  coreCheckers,
  createExplorer,
  judgesOf,
  parseScenario,
  runScenario,
  shrink,
  writeSketch,
  type Plan,
} from "../src/index.ts";
import { parsePlan } from "../src/parse.ts";
import { planSchema, writePlan } from "../src/plan-shape.ts";

/** Says how many documents it found, which is a finding in every run. */
const countsDocuments: Checker = {
  name: "counts-documents",
  invariant: "counted",
  says: "Used by tests.",
  excusedBy: [],
  finish: (_world, _plan, { operations }) =>
    Promise.resolve(operations.length > 0 ? `there are ${operations.length}` : undefined),
};

const text = (named: string): string => `name: test/composed
claim: Used by tests.
clusters: { main: { nodes: 1 } }
indices: { books: { replicas: 0 } }
workload: { kind: bulk, index: books, documents: 2, requests: 2 }
phases: { faults: 1s, converge: 20s }
checkers: [${named}]
`;

const checkers = composeCheckers([countsDocuments]);

describe("composeCheckers", () => {
  test("keeps the order of the core, and puts a row behind the one that it names", () => {
    const names = [...coreCheckers.keys()];
    const placed = composeCheckers([{ ...countsDocuments, after: names[2] ?? "" }]);

    expect([...checkers.keys()]).toEqual([...names, "counts-documents"]);
    expect([...placed.keys()]).toEqual([
      ...names.slice(0, 3),
      "counts-documents",
      ...names.slice(3),
    ]);
  });

  test("refuses two rows of one name, and a place that is not there", () => {
    const again = { ...countsDocuments, name: "log-matching" };

    expect(() => composeCheckers([again])).toThrow("two checkers have the name [log-matching]");
    expect(() => composeCheckers([countsDocuments, countsDocuments])).toThrow("counts-documents");
    expect(() => composeCheckers([{ ...countsDocuments, after: "nothing" }])).toThrow(
      "[counts-documents] stands behind no checker [nothing]",
    );
  });
});

test("a plan may name what its table has, and a table without it refuses the plan", () => {
  const plan = parseScenario("file.yaml", text("counts-documents"), { checkers });

  expect(plan.checkers).toEqual(["counts-documents"]);
  expect(parsePlan("again", writePlan(plan), { checkers })).toEqual(plan);
  expect(() => parseScenario("file.yaml", text("counts-documents"))).toThrow(
    "unknown checker [counts-documents]",
  );
  expect(() => parseScenario("file.yaml", text("count-documents"), { checkers })).toThrow(
    "did you mean [counts-documents]?",
  );
  expect(() => judgesOf(plan)).toThrow("[counts-documents]");
});

test("a row that judges always judges plans that do not name it", () => {
  const always = composeCheckers([{ ...countsDocuments, isAlways: true }]);
  const plan = parseScenario("file.yaml", text("log-matching"), { checkers: always });
  const names = judgesOf(plan, always).map(({ name }) => name);

  expect(names[0]).toBe("log-matching");
  expect(names.at(-1)).toBe("counts-documents");
  expect(judgesOf(plan, checkers).map(({ name }) => name)).not.toContain("counts-documents");
  expect(applicableCheckers(plan, checkers)).toContain("counts-documents");
});

test("a run is judged by the rows that it is given, and shrinking goes on with the one that fails", async () => {
  const plan = parseScenario("file.yaml", text("log-matching, counts-documents"), { checkers });
  const shrunk = await shrink(writePlan(plan), 1, {
    failureOf: async (candidate, seed) => {
      const less = readIfPlan(candidate);
      if (less === undefined) return undefined;
      const run = await runScenario(less, seed, { checkers });
      const [finding] = run.findings;
      return finding && { finding, operations: run.operations };
    },
    isTimeUp: () => false,
  });

  expect(shrunk?.finding).toMatchObject({
    checker: "counts-documents",
    invariant: "counted",
  });
  expect(shrunk?.plan["checkers"]).toEqual(["counts-documents"]);
  expect(shrunk?.operations).toBeLessThan(4);
}, 60_000);

/** What a reduction left may be no plan. */
function readIfPlan(candidate: JsonObject): Plan | undefined {
  try {
    return parsePlan("less", candidate, { checkers });
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

test("plans of exploration are judged by the table", () => {
  const { sketch } = createExplorer({ seed: 1 }).next();

  expect(writeSketch(sketch, { checkers })["checkers"]).toContain("counts-documents");
  expect(writeSketch(sketch)["checkers"]).not.toContain("counts-documents");
});

test("the schema lists the rows of the table", () => {
  expect(JSON.stringify(planSchema(checkers))).toContain('"counts-documents"');
  expect(JSON.stringify(planSchema(coreCheckers))).not.toContain('"counts-documents"');
});
