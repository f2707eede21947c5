/** A scenario from code is the one of the file with the same words, and is refused in the same words. */
import { OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { buildScenario, parseScenario, type Scenario } from "../src/index.ts";

const start = { name: "test/built", claim: "Nothing is lost." } as const;

function complaintAbout(scenario: Scenario): string | undefined {
  try {
    buildScenario(scenario);
    return undefined;
  } catch (error) {
    if (error instanceof OperationError) return error.problem.reason ?? undefined;
    throw error;
  }
}

/** What code may hand over that was not checked by a compiler. */
function anything(scenario: object): Scenario {
  return scenario as Scenario;
}

test("what is not said is as in a file", () => {
  const built = buildScenario(start);

  expect(built).toEqual(parseScenario("test.yaml", "name: test/built\nclaim: Nothing is lost.\n"));
  expect(built.clusters.map(({ nodes }) => nodes.length)).toEqual([3]);
});

test("a node's settings go together with those of its cluster", () => {
  const settings = { "cluster.remote.far.seeds": "127.0.0.1:9300" };
  const nodes = [{ settings: { "cluster.remote.far.skip_unavailable": true } }];

  expect(() => buildScenario({ ...start, clusters: { main: { settings, nodes } } })).not.toThrow();
  expect(complaintAbout({ ...start, clusters: { main: { nodes } } })).toBe(
    "test/built: clusters.main: Cannot configure setting [cluster.remote.far.skip_unavailable] if remote cluster is not enabled.",
  );
});

test("a property that is undefined is one that is not said", () => {
  expect(buildScenario(anything({ ...start, notice: undefined }))).toEqual(buildScenario(start));
});

describe("a scenario from code is refused with a path and the sentence of a file", () => {
  test.each<[string, Scenario, string]>([
    [
      "an unknown key",
      // @ts-expect-error the compiler says so, too
      { ...start, fault: [] },
      "test/built: fault: unknown key [fault] -> did you mean [faults]?",
    ],
    [
      "a key that its kind does not have",
      // @ts-expect-error the compiler says so, too
      { ...start, faults: [{ kind: "crash", node: "node-1", isolate: "node-2" }] },
      "test/built: faults[0].isolate: unknown key [isolate]: expected one of [kind, for, from, to, within, every, when, node]",
    ],
    [
      "a key that is missing",
      // @ts-expect-error the compiler says so, too
      { ...start, faults: [{ kind: "crash" }] },
      "test/built: faults[0]: [node] is missing",
    ],
    [
      "a node that is not there",
      { ...start, timeline: [{ wait: "1s" }, { at: "2s", stop: "node-9" }] },
      "test/built: timeline[1].stop: unknown node [node-9] -> did you mean [node-1]?",
    ],
    [
      "a number where a time is meant",
      // @ts-expect-error the compiler says so, too
      { ...start, workload: { kind: "bulk", index: "books", every: 74 } },
      "test/built: workload.every: [every] must be a time value such as [5s]",
    ],
    [
      "an impossible time",
      { ...start, faults: { kind: "restart", node: "any", from: "20s" } },
      "test/built: faults: the fault starts after the end of its phase",
    ],
    [
      "a checker that does not apply",
      { ...start, checkers: ["decommissioned-zone-is-empty"] },
      "test/built: checkers: the checker [decommissioned-zone-is-empty] does not apply",
    ],
    [
      "a name that is no word",
      { ...start, indices: { "my books": { shards: 0 } } },
      'test/built: indices["my books"].shards: [shards] must be a whole number from 1 to 1024',
    ],
    ["no name", anything({ claim: "Nothing." }), "scenario: [name] is missing"],
  ])("%s", (_what, scenario, sentence) => {
    expect(complaintAbout(scenario)).toContain(sentence);
  });

  test("what is no JSON, wherever it stands", () => {
    const body = (value: unknown): Scenario =>
      anything({ ...start, timeline: [{ request: "POST /_search", body: { size: value } }] });
    const path = "test/built: timeline[0].body.size: a scenario holds JSON, not";

    expect(complaintAbout(body(() => 1))).toBe(`${path} a function`);
    expect(complaintAbout(body(new Date(0)))).toBe(`${path} a Date`);
    expect(complaintAbout(body(Number.NaN))).toBe(`${path} [NaN]`);
    expect(complaintAbout(body([undefined]))).toContain("body.size[0]: a scenario holds JSON");
  });

  test("what goes on for ever", () => {
    const body: { self?: object } = {};
    body.self = body;

    expect(complaintAbout(anything({ ...start, timeline: [{ request: "GET /", body }] }))).toBe(
      "test/built: a scenario must not be nested more than 100 deep",
    );
  });
});
