/** Scenario files: what is read, and that each mistake is one sentence with file, line, key and the nearest valid key. */
import { OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { parseScenario } from "../src/index.ts";

const good = `name: theme/what-happens
claim: Nothing is lost.

cluster:
  nodes: 3
  zones: [a, b]
  settings: { cluster.routing.allocation.enable: all, some.flag: true }

indices:
  books: { shards: 2, replicas: 1 }

workload: { kind: bulk, index: books, clients: 3, documents: 10, every: 50ms, timeout: 5s }

faults:
  - { kind: crash, node: elected-cluster-manager, from: 1s, to: 2s }
  - kind: partition
    isolate: node-2
    from: 2s
  - { kind: degrade-network, from: 1s, to: 3s, delay: 20ms, loss_per_mille: 5 }

run_for: 4s
converge_within: 2m

checkers:
  - converges-to-green
`;

function problemOf(text: string): string {
  try {
    parseScenario("file.yaml", text);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    expect(error.problem).toMatchObject({ type: "parse_exception", status: 400 });
    return error.problem.reason ?? "";
  }
  return "no problem";
}

describe("a scenario file", () => {
  test("is read as a plan", () => {
    const scenario = parseScenario("file.yaml", good);

    expect(scenario).toEqual({
      name: "theme/what-happens",
      claim: "Nothing is lost.",
      cluster: {
        nodes: 3,
        zones: ["a", "b"],
        settings: { "cluster.routing.allocation.enable": "all", "some.flag": "true" },
      },
      indices: new Map([["books", { shards: 2, replicas: 1 }]]),
      workload: {
        kind: "bulk",
        index: "books",
        clients: 3,
        documents: 10,
        everyMs: 50,
        timeoutMs: 5000,
      },
      faults: [
        { fromMs: 1000, toMs: 2000, fault: { kind: "crash", node: "elected-cluster-manager" } },
        { fromMs: 2000, toMs: 4000, fault: { kind: "partition", isolate: "node-2" } },
        {
          fromMs: 1000,
          toMs: 3000,
          fault: {
            kind: "degrade-network",
            delayMs: 20,
            lossPerMille: 5,
            duplicatePerMille: 0,
            reorderPerMille: 0,
          },
        },
      ],
      runForMs: 4000,
      convergeWithinMs: 120_000,
      checkers: ["converges-to-green"],
    });
  });

  test("may say something twice with an anchor", () => {
    const text = good
      .replace("from: 2s", "from: &start 2s")
      .replace("from: 1s, to: 3s", "from: *start, to: 3s");

    expect(parseScenario("file.yaml", text).faults[2]?.fromMs).toBe(2000);
  });
});

describe("a mistake is named with file and line", () => {
  test.each([
    [
      "an unknown key",
      "claim:",
      "clam:",
      "file.yaml:2: unknown key [clam] -> did you mean [claim]?",
    ],
    [
      "a key that is like no other",
      "indices:",
      "zzz:",
      /^file\.yaml:9: unknown key \[zzz\]: expected one of \[name, claim, cluster, .*checkers\]$/,
    ],
    [
      "an unknown key of a fault",
      "    isolate: node-2",
      "    isolat: node-2",
      "file.yaml:17: unknown key [isolat] -> did you mean [isolate]?",
    ],
    [
      "a key of another kind of fault",
      "node: elected-cluster-manager",
      "isolate: elected-cluster-manager",
      /^file\.yaml:15: unknown key \[isolate\]/,
    ],
    [
      "an unknown fault",
      "kind: partition",
      "kind: partitoin",
      "file.yaml:16: unknown fault [partitoin] -> did you mean [partition]?",
    ],
    [
      "an unknown workload",
      "kind: bulk",
      "kind: bulky",
      "file.yaml:12: unknown workload [bulky] -> did you mean [bulk]?",
    ],
    [
      "an unknown checker",
      "- converges-to-green",
      "- converge-to-green",
      "file.yaml:25: unknown checker [converge-to-green] -> did you mean [converges-to-green]?",
    ],
    [
      "a node that is not in the cluster",
      "isolate: node-2",
      "isolate: node-4",
      /^file\.yaml:17: unknown node \[node-4\] -> did you mean \[node-1\]\?$/,
    ],
    [
      "a misspelt selector",
      "node: elected-cluster-manager",
      "node: elected-cluster-manger",
      "file.yaml:15: unknown node [elected-cluster-manger] -> did you mean [elected-cluster-manager]?",
    ],
    ["a missing key", "run_for: 4s\n", "", "file.yaml:1: [run_for] is missing"],
    ["a missing workload", /^workload.*$/m, "", "file.yaml:1: [workload] is missing"],
    [
      "a missing kind",
      "- kind: partition\n    isolate",
      "- isolate",
      "file.yaml:16: [kind] is missing",
    ],
    [
      "a missing selector",
      "node: elected-cluster-manager, ",
      "",
      "file.yaml:15: [node] is missing",
    ],
    [
      "a number that is text",
      "nodes: 3",
      "nodes: three",
      /^file\.yaml:5: \[nodes\] must be a whole number/,
    ],
    [
      "a number out of bounds",
      "shards: 2",
      "shards: 0",
      /^file\.yaml:10: \[shards\] must be a whole number/,
    ],
    [
      "a time without unit",
      "every: 50ms",
      "every: 50",
      "file.yaml:12: [every] must be a time value such as [5s]",
    ],
    [
      "a zone that is no text",
      "zones: [a, b]",
      "zones: [a, {}]",
      "file.yaml:6: [zone] must be text",
    ],
    [
      "a setting that is no text",
      "some.flag: true",
      "some.flag: [1]",
      "file.yaml:7: [some.flag] must be text",
    ],
    [
      "a list that is none",
      "checkers:\n  - converges",
      "checkers: converges",
      "file.yaml:24: [checkers] must be a list",
    ],
    [
      "a fault that is none",
      "- kind: partition\n    isolate: node-2\n    from: 2s",
      "- crash",
      "file.yaml:16: a fault must be an object",
    ],
    [
      "a fault that ends before it starts",
      "from: 1s, to: 2s",
      "from: 2s, to: 1s",
      "file.yaml:15: [to] is before [from]",
    ],
    [
      "a fault that outlasts the run",
      "from: 1s, to: 2s",
      "from: 1s, to: 5s",
      "file.yaml:15: the fault ends after [run_for]",
    ],
    ["a key given twice", "run_for: 4s", "run_for: 4s\nrun_for: 5s", /^file\.yaml:22: .*unique/],
    ["broken YAML", "zones: [a, b]", "zones: [a, b", /^file\.yaml:\d+: /],
  ])("%s", (_name, before, after, expected) => {
    const text = good.replace(before, after);
    expect(text).not.toBe(good);

    const problem = problemOf(text);

    if (typeof expected === "string") expect(problem).toBe(expected);
    else expect(problem).toMatch(expected);
  });

  test.each(["", "just text", "- a\n- list\n"])("a file that is no object: %j", (text) => {
    expect(problemOf(text)).toBe("file.yaml:1: a scenario must be an object");
  });
});
