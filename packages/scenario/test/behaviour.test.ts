/** Behaviour: what two runs share whatever their nodes are called, and which plans a corpus keeps for it. */
import { createRandom } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createBehaviour, templateOf } from "../src/explore/behaviour.ts";
import { createCorpus } from "../src/explore/corpus.ts";
import { drawSketch } from "../src/explore/draw-sketch.ts";
import type { RecordedEvent } from "../src/world.ts";

function behaviourOf(events: readonly object[]): readonly string[] {
  const behaviour = createBehaviour();
  for (const event of events)
    behaviour.hear({ at_ms: 1, node: "node-1", ...event } as RecordedEvent);
  return behaviour.tuples().toSorted();
}

const elected = (node: string) => ({
  node,
  kind: "cluster-manager-elected",
  nodeId: `id-${node}`,
  term: 3,
});
const crashed = (node: string) => ({ node, kind: "node-crashed" });

test("is the same whatever nodes are called, and another when roles are others", () => {
  const one = behaviourOf([elected("node-1"), crashed("node-1")]);

  expect(behaviourOf([elected("node-2"), crashed("node-2")])).toEqual(one);
  expect(behaviourOf([elected("node-2"), crashed("node-1")])).not.toEqual(one);
});

test("tells how often something happened as a power of two", () => {
  const sent = { kind: "message-sent", action: "a" };
  const times = (count: number): readonly string[] =>
    behaviourOf(Array.from({ length: count }, () => sent));

  expect(times(5)).toEqual(["sent a x4"]);
  expect(times(7)).toEqual(times(5));
  expect(times(8)).toEqual(["sent a x8"]);
});

test("knows a primary's news from a replica's, and which fault lasted then", () => {
  const copies = {
    kind: "shard-copies-changed",
    index: "b",
    shard: 0,
    version: 1,
    primary: "p",
    active: "p,r",
    inSync: "p,r",
    recoverySource: "",
    isRelocated: false,
  };
  const failed = (allocationId: string) => ({
    kind: "shard-state-changed",
    index: "b",
    shard: 0,
    allocationId,
    state: "FAILED",
  });

  const tuples = behaviourOf([
    copies,
    { node: "", kind: "fault-started", fault: "loss" },
    failed("p"),
    { node: "", kind: "fault-ended", fault: "loss" },
    failed("r"),
  ]);

  expect(tuples).toContain("during loss, node primary: copy FAILED");
  expect(tuples).toContain("node replica: copy FAILED > copy FAILED");
  expect(tuples).not.toContain("during loss, node replica: copy FAILED");
});

test("a template has no names and numbers", () => {
  expect(templateOf("[books][0] is primary now, term 4")).toBe("[][] is primary now, term #");
});

test("a corpus keeps the cheapest plan of each behaviour", () => {
  const corpus = createCorpus();
  const sketch = drawSketch(createRandom("corpus"));
  const add = (seed: number, events: number, tuples: readonly string[]): number =>
    corpus.add({ sketch, seed, events, tuples, came: {} });

  expect(add(1, 500, ["a", "b"])).toBe(2);
  expect(add(2, 900, ["a", "b"])).toBe(0);
  expect(add(3, 100, ["a", "c"])).toBe(1);
  expect(corpus.specimens.map(({ seed }) => seed)).toEqual([1, 3]);
  expect(add(4, 50, ["a", "b"])).toBe(0);
  expect(corpus.specimens.map(({ seed }) => seed)).toEqual([3, 4]);
  expect(corpus.behaviours).toBe(3);
});

test("a corpus picks what shows something rare more often", () => {
  const corpus = createCorpus();
  const common = drawSketch(createRandom("common"));
  const rare = drawSketch(createRandom("rare"));
  for (let i = 0; i < 50; i += 1)
    corpus.add({ sketch: common, seed: i, events: 1000, tuples: ["common"], came: {} });
  corpus.add({ sketch: rare, seed: 99, events: 1000, tuples: ["rare"], came: {} });

  const random = createRandom("picks");
  const picks = Array.from({ length: 20 }, () => corpus.pick(random));

  expect(picks.filter(({ sketch }) => sketch === rare).length).toBeGreaterThan(10);
});
