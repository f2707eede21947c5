/** Colours, look-ups and document routing on small states. */
import { expect, test } from "vitest";
import type { AllocationId } from "@orrery/stdx";
import {
  activePrimary,
  clusterHealth,
  copiesOn,
  copyByAllocationId,
  desiredVoters,
  initialState,
  relocationTarget,
  shardFor,
  shardsForRouting,
  type ClusterState,
  type ShardRouting,
} from "../src/index.ts";
import { after, cluster, node, withNewIndex } from "./fixture.ts";

const one = node("n1");
const two = node("n2");

function withCopies(change: (copy: ShardRouting) => ShardRouting): ClusterState {
  const state = withNewIndex(cluster(one, two), "books");
  const row = state.routingTable.get("books");
  if (row === undefined) throw new Error("row");
  const shards = row.shards.map((copies) => copies.map(change));
  return { ...state, routingTable: new Map([["books", { ...row, shards }]]) };
}

const started: Partial<ShardRouting> = {
  state: "STARTED",
  nodeId: one.id,
  allocationId: "a1" as AllocationId,
  recoverySource: undefined,
  unassignedInfo: undefined,
};

test("a new index is yellow, and red once a decider refused its primary", () => {
  const fresh = withCopies((copy) => copy);
  const refused = withCopies((copy) =>
    copy.unassignedInfo === undefined
      ? copy
      : {
          ...copy,
          unassignedInfo: { ...copy.unassignedInfo, lastAllocationStatus: "deciders_no" },
        },
  );

  expect(clusterHealth(fresh).status).toBe("yellow");
  expect(clusterHealth(refused).status).toBe("red");
});

test("an active primary without its replica is yellow", () => {
  const state = withCopies((copy) => (copy.primary ? { ...copy, ...started } : copy));

  expect(clusterHealth(state)).toMatchObject({
    status: "yellow",
    activePrimaryShards: 1,
    activeShards: 1,
    unassignedShards: 1,
    activeShardsPercent: 50,
  });
  expect(activePrimary(state, "books", 0)?.nodeId).toBe(one.id);
});

test("a relocating copy serves, and its target is found on the other node", () => {
  const state = withCopies((copy) =>
    copy.primary
      ? {
          ...copy,
          ...started,
          state: "RELOCATING",
          relocatingNodeId: two.id,
          relocationId: "a2" as AllocationId,
        }
      : copy,
  );

  expect(clusterHealth(state)).toMatchObject({
    activeShards: 1,
    relocatingShards: 1,
    initializingShards: 0,
  });
  const [target] = copiesOn(state, two.id);
  expect(target).toMatchObject({ state: "INITIALIZING", relocatingNodeId: one.id, primary: true });
  expect(copyByAllocationId(state, "books", 0, "a2" as AllocationId)).toEqual(target);
  const primary = activePrimary(state, "books", 0);
  expect(primary && relocationTarget(primary)).toEqual(target);
});

test("a cluster that has not recovered is red", () => {
  expect(clusterHealth(initialState("c")).status).toBe("red");
});

test("documents find their shard as in the product", () => {
  const state = withNewIndex(cluster(one), "books", { "index.number_of_shards": "5" });
  const index = state.metadata.indices.get("books");
  if (index === undefined) throw new Error("index");

  const shards = ["1", "2", "3", "4", "5", "a", "key"].map((id) => shardFor(index, id));

  expect(index.routingNumShards).toBe(640);
  expect(shards.every((shard) => shard >= 0 && shard < 5)).toBe(true);
  expect(shardFor(index, "1", "x")).toBe(shardFor(index, "2", "x"));
  expect(shardsForRouting(index, "x")).toEqual([shardFor(index, "1", "x")]);
});

test("a routing partition spreads one routing value over several shards", () => {
  const state = withNewIndex(cluster(one), "books", {
    "index.number_of_shards": "8",
    "index.number_of_routing_shards": "8",
    "index.routing_partition_size": "3",
  });
  const index = state.metadata.indices.get("books");
  if (index === undefined) throw new Error("index");

  const ids = Array.from({ length: 100 }, (_, i) => `id-${i}`);
  const hit = new Set(ids.map((id) => shardFor(index, id, "x")));

  expect([...hit].toSorted((a, b) => a - b)).toEqual(shardsForRouting(index, "x"));
  expect(hit.size).toBe(3);
});

test("voters are an odd number of live nodes, and never fewer than three of three", () => {
  const nodes = ["n1", "n2", "n3", "n4"].map((name) => node(name));
  const state = cluster(...nodes);
  const live = new Set(nodes.map(({ id }) => id));
  const grown = desiredVoters(state, live, nodes[0]?.id ?? one.id);
  expect(grown).toHaveLength(3);
  expect(grown).toContain("n1-id");

  const three = after(state, { kind: "reconfigure-voters", voters: grown });
  const alone = desiredVoters(three, new Set(grown.slice(0, 2)), grown[0] ?? one.id);

  expect(alone).toHaveLength(3);
  const excluded = after(three, {
    kind: "add-voting-config-exclusions",
    exclusions: [{ nodeId: "n1-id", nodeName: "n1" }],
  });
  expect(desiredVoters(excluded, live, nodes[1]?.id ?? one.id)).toEqual([
    "n2-id",
    "n3-id",
    "n4-id",
  ]);
});
