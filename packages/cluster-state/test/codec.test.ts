/** States and entries as bytes, under random histories. */
import { forSeeds, type Random } from "@orrery/seeds";
import { expect, test } from "vitest";
import {
  coreRules,
  applyTask,
  decodeEntry,
  decodeState,
  encodeEntry,
  encodeState,
  sliceState,
  type ClusterState,
  type LogEntry,
  type Task,
} from "../src/index.ts";
import { cluster, creation, node } from "./fixture.ts";

test("INV-STATE-1: a state and the entries that made it survive encoding", () => {
  forSeeds(100, (random) => {
    let state = cluster(node("n1"));
    for (let i = 0; i < 12; i += 1) {
      const task = anyTask(state, random);
      const entry: LogEntry = { term: random.int(1, 9), tasks: [task] };
      expect(decodeEntry(encodeEntry(entry))).toEqual(entry);

      const outcome = applyTask(state, task, coreRules);
      if (outcome.kind === "updated") state = outcome.state;

      expect(decodeState(encodeState(state))).toEqual(state);
    }
  });
});

test("big integers in mappings survive encoding", () => {
  const state = cluster(node("n1"));
  const mapping = { _meta: { big: 9007199254740993n } };

  const outcome = applyTask(state, creation(state, "a", {}, { mapping }), coreRules);

  if (outcome.kind !== "updated") throw new Error(outcome.kind);
  const decoded = decodeState(encodeState(outcome.state));
  expect(decoded.metadata.indices.get("a")?.mapping).toEqual(mapping);
});

test("a slice holds the named indices only, and every node", () => {
  let state = cluster(node("n1"), node("n2"));
  for (const name of ["a", "b"]) {
    const outcome = applyTask(state, creation(state, name), coreRules);
    if (outcome.kind === "updated") state = outcome.state;
  }

  const slice = sliceState(state, new Set(["b"]));

  expect([...slice.metadata.indices.keys()]).toEqual(["b"]);
  expect([...slice.routingTable.keys()]).toEqual(["b"]);
  expect(slice.nodes).toBe(state.nodes);
});

function anyTask(state: ClusterState, random: Random): Task {
  const name = random.pick(["a", "b", "c"]);
  const nowMs = random.int(1, 1000);
  const uuid = state.metadata.indices.get(name)?.uuid;
  const aliases = { x: { filter: { term: { a: 1 } }, isWriteIndex: false } };
  return random.pick<Task>([
    creation(state, name, {}, { aliases }),
    creation(state, name, { "index.number_of_shards": "2", "index.blocks.write": "true" }),
    ...(uuid === undefined ? [] : [{ kind: "delete-index", index: name, uuid, nowMs } as const]),
    { kind: "node-join", node: node(random.pick(["n2", "n3"])), nowMs },
    { kind: "node-left", nodeId: node("n2").id, reason: "disconnected" },
    { kind: "close-index", step: random.pick(["block", "close"]), indices: [name], nowMs },
    { kind: "open-index", indices: [name], nowMs },
    {
      kind: "update-cluster-settings",
      persistent: { "cluster.routing.allocation.awareness.attributes": ["zone", "rack"] },
      transient: { "cluster.blocks.read_only": random.pick(["true", null]) },
    },
    {
      kind: "add-voting-config-exclusions",
      exclusions: [{ nodeId: "_absent_", nodeName: random.pick(["n7", "n8"]) }],
    },
  ]);
}

test("members that are named as the mark of big integers survive encoding", () => {
  const state = cluster(node("n1"));
  const mapping = { _meta: { $bigint: "x", $$bigint: { $bigint: 1 }, big: 9007199254740993n } };

  const outcome = applyTask(state, creation(state, "a", {}, { mapping }), coreRules);

  if (outcome.kind !== "updated") throw new Error(outcome.kind);
  expect(decodeState(encodeState(outcome.state))).toEqual(outcome.state);
});
