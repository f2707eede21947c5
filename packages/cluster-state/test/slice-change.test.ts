/** Changes of a slice as bytes: what they lead to, what they leave as it was, and what they cost. */
import { forSeeds, type Random } from "@orrery/seeds";
import type { AllocationId, IndexUuid } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  coreRules,
  applyEntry,
  applyRoutingDelta,
  applySliceChange,
  decodeState,
  encodeSliceChange,
  encodeState,
  sliceState,
  type ClusterState,
  type RoutingDelta,
  type ShardRouting,
  type Task,
} from "../src/index.ts";
import { after, cluster, creation, node } from "./fixture.ts";

const names = ["a", "b", "c", "d"];

test("whatever happens to a state and to what is held of it, changes lead where the whole slice would", () => {
  forSeeds(150, (random) => {
    let state = cluster(node("n1"));
    let slice = sliceState(state, new Set());
    let followed = decodeState(encodeState(slice));
    for (let i = 0; i < 20; i += 1) {
      const entry = { term: 1, tasks: [anyTask(state, random)] };
      state = applyEntry(state, entry, { term: 1, index: i + 1 }, coreRules);
      state = applyRoutingDelta(state, anyDelta(state, random));
      const held = new Set(names.filter(() => random.int(0, 3) > 0));
      const next = { ...sliceState(state, held), version: slice.version + 1 };

      followed = applySliceChange(followed, encodeSliceChange(slice, next));

      const whole = decodeState(encodeState(next));
      expect(followed).toEqual(whole);
      expect(orderOf(followed)).toEqual(orderOf(whole));
      slice = next;
    }
  });
});

test("a change of one shard leaves the other shards, and other indices, the very same objects", () => {
  let state = after(cluster(node("n1")), creation(cluster(node("n1")), "a", shards(50)));
  state = after(state, creation(state, "b"));
  const before = decodeState(encodeState(state));
  const changed = { ...applyRoutingDelta(state, started(state, "a", 7)), version: 99 };

  const bytes = encodeSliceChange(state, changed);
  const next = applySliceChange(before, bytes);

  const [was, is] = [before.routingTable.get("a")?.shards, next.routingTable.get("a")?.shards];
  expect(is?.filter((copies, shard) => copies !== was?.[shard])).toEqual([is?.[7]]);
  expect(is?.[7]?.[0]?.state).toBe("STARTED");
  expect(next.metadata.indices.get("a")?.inSyncAllocationIds[7]).toEqual(["id-7"]);
  expect(next.metadata.indices.get("a")?.primaryTerms[7]).toBe(5);
  expect(next.metadata.indices.get("b")).toBe(before.metadata.indices.get("b"));
  expect(next.routingTable.get("b")).toBe(before.routingTable.get("b"));
  expect(next.nodes).toBe(before.nodes);
});

test("what a change costs follows from what changed, not from how many shards there are", () => {
  const sizeWith = (count: number): number => {
    const base = cluster(node("n1"));
    const state = after(base, creation(base, "a", shards(count)));
    return encodeSliceChange(state, applyRoutingDelta(state, started(state, "a", 7))).length;
  };

  expect(sizeWith(800) - sizeWith(80)).toBeLessThan(20);
});

test("a change applies to the slice that it was made from, and to no other", () => {
  const state = cluster(node("n1"));
  const next = after(state, creation(state, "a"));

  expect(() =>
    applySliceChange({ ...state, version: state.version + 1 }, encodeSliceChange(state, next)),
  ).toThrow("a change applies to the slice that it was made from");
});

test("shards of a delta replace the copies of those shards alone, in the index that was meant", () => {
  const base = cluster(node("n1"));
  const state = after(base, creation(base, "a", shards(3)));
  const delta = started(state, "a", 1);
  const other = delta.shards?.map((row) => ({ ...row, uuid: "another" as IndexUuid }));

  const next = applyRoutingDelta(state, delta);

  const states = next.routingTable.get("a")?.shards.map(([copy]) => copy?.state);
  expect(states).toEqual(["UNASSIGNED", "STARTED", "UNASSIGNED"]);
  expect(applyRoutingDelta(state, { ...delta, shards: other ?? [] }).routingTable).toBe(
    state.routingTable,
  );
});

function shards(count: number): Record<string, string> {
  return { "index.number_of_shards": String(count), "index.number_of_replicas": "0" };
}

/** The primary of the shard runs on the first node. */
function started(state: ClusterState, index: string, shard: number): RoutingDelta {
  const table = state.routingTable.get(index);
  const copy = table?.shards[shard]?.[0];
  const [holder] = state.nodes.keys();
  if (table === undefined || copy === undefined) throw new Error("no such shard");
  const allocationId = `id-${shard}` as AllocationId;
  const running: ShardRouting = { ...copy, state: "STARTED", nodeId: holder, allocationId };
  return {
    indices: [],
    shards: [{ index, uuid: table.uuid, shard, copies: [running] }],
    terms: [{ index, shard, primaryTerm: 5 }],
    inSync: [{ index, shard, allocationIds: [allocationId] }],
  };
}

function anyDelta(state: ClusterState, random: Random): RoutingDelta {
  const held = names.filter((name) => state.routingTable.has(name));
  if (held.length === 0) return { indices: [], terms: [], inSync: [] };
  const index = random.pick(held);
  const count = state.routingTable.get(index)?.shards.length ?? 1;
  return started(state, index, random.int(0, count - 1));
}

function anyTask(state: ClusterState, random: Random): Task {
  const name = random.pick(names);
  const uuid = state.metadata.indices.get(name)?.uuid;
  const alias = { kind: "add", index: name, alias: "x", metadata: {} } as const;
  return random.pick<Task>([
    creation(state, name, shards(random.int(1, 4)), { aliases: { x: {} } }),
    creation(state, name, { "index.blocks.write": "true" }, { mapping: { _meta: { big: 9n } } }),
    ...(uuid === undefined
      ? []
      : ([
          { kind: "delete-index", index: name, uuid, nowMs: 1 },
          { kind: "update-aliases", actions: [alias] },
        ] as const)),
    { kind: "node-join", node: node(random.pick(["n2", "n3"])), nowMs: 1 },
    { kind: "node-left", nodeId: node("n2").id, reason: "disconnected" },
    { kind: "close-index", step: random.pick(["block", "close"]), indices: [name], nowMs: 1 },
    { kind: "open-index", indices: [name], nowMs: 1 },
    {
      kind: "update-cluster-settings",
      persistent: { "cluster.routing.allocation.awareness.attributes": ["zone"] },
      transient: { "cluster.blocks.read_only": random.pick(["true", null]) },
    },
  ] as readonly Task[]);
}

function orderOf(state: ClusterState): readonly (readonly string[])[] {
  return [state.nodes, state.metadata.indices, state.routingTable, state.blocks.indices].map(
    (map) => [...map.keys()],
  );
}
