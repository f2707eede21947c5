/** Tasks about nodes, votes and Raft ids: what each changes, and what it refuses in which words. */
import type { AllocationId, NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  applyTask,
  checkBlock,
  composeRules,
  coreRules,
  initialState,
  type ClusterState,
  type Task,
} from "../src/index.ts";
import { after, cluster, node, reasonOf, withNewIndex } from "./fixture.ts";

const one = node("n1");
const two = node("n2");
const three = node("n3");

const exclude = (...names: readonly string[]): Task => ({
  kind: "add-voting-config-exclusions",
  exclusions: names.map((name) => ({ nodeId: `${name}-id`, nodeName: name })),
});
const excludedIn = (state: ClusterState): readonly string[] =>
  state.metadata.coordination.votingConfigExclusions.map(({ nodeName }) => nodeName);

describe("add-voting-config-exclusions", () => {
  test("adds nodes in the order of the request, each once", () => {
    const state = after(after(cluster(one, two, three), exclude("n2", "n2")), exclude("n3", "n2"));

    expect(excludedIn(state)).toEqual(["n2", "n3"]);
  });

  test("is without effect when all of them are excluded", () => {
    const state = after(cluster(one, two), exclude("n2"));

    expect(applyTask(state, exclude("n2"), coreRules)).toEqual({ kind: "unchanged" });
  });

  test("refuses more than `cluster.max_voting_config_exclusions`, of which a node's setting is the default", () => {
    const state = after(cluster(one, two, three), exclude("n2"));
    const nodeSettings = { "cluster.max_voting_config_exclusions": "1" };

    expect(reasonOf(applyTask(state, { ...exclude("n3"), nodeSettings } as Task, coreRules))).toBe(
      "add voting config exclusions request for [] would add [1] exclusions to the existing [1] which would exceed the maximum of [1] set by [cluster.max_voting_config_exclusions]",
    );
    const atMostTwo = { "cluster.max_voting_config_exclusions": "2" };
    const atLimit = after(state, { ...exclude("n3"), nodeSettings: atMostTwo } as Task);
    expect(excludedIn(atLimit)).toEqual(["n2", "n3"]);
  });
});

describe("clear-voting-config-exclusions", () => {
  const clear: Task = { kind: "clear-voting-config-exclusions" };

  test("removes all exclusions, and is without effect when there are none", () => {
    const state = after(after(cluster(one, two, three), exclude("n2", "n3")), clear);

    expect(excludedIn(state)).toEqual([]);
    expect(applyTask(state, clear, coreRules)).toEqual({ kind: "unchanged" });
  });
});

describe("assign-raft-id", () => {
  const idOf = (state: ClusterState, nodeId: NodeId) =>
    state.metadata.coordination.raftIds.get(nodeId);
  const assign = (replaces?: number): Task => ({
    kind: "assign-raft-id",
    nodeId: two.id,
    ...(replaces === undefined ? {} : { replaces }),
  });

  test("gives a node that is no member yet the next id", () => {
    const state = after(cluster(one), assign());

    expect(idOf(state, two.id)).toBe(2);
    expect(state.nodes.has(two.id)).toBe(false);
    expect(applyTask(state, assign(), coreRules)).toEqual({ kind: "unchanged" });
  });

  test("INV-STORE-2: gives a node that lost its log an id that was never used, once", () => {
    const state = after(cluster(one, two, three), assign(2));

    expect(idOf(state, two.id)).toBe(4);
    expect(idOf(state, three.id)).toBe(3);
    expect(applyTask(state, assign(2), coreRules)).toEqual({ kind: "unchanged" });
  });
});

describe("reconfigure-voters", () => {
  const voters = (...ids: readonly NodeId[]): Task => ({ kind: "reconfigure-voters", voters: ids });
  const votersOf = (state: ClusterState) => state.metadata.coordination.votingConfiguration;

  test("replaces the voters, sorted and without duplicates", () => {
    const state = after(cluster(one, two, three), voters(three.id, one.id, two.id, one.id));

    expect(votersOf(state)).toEqual([one.id, two.id, three.id]);
    expect(applyTask(state, voters(two.id, three.id, one.id), coreRules).kind).toBe("unchanged");
    expect(votersOf(after(state, voters(two.id)))).toEqual([two.id]);
  });

  test("refuses to leave no voter, and a voter without a Raft id", () => {
    const state = cluster(one, two);

    expect(reasonOf(applyTask(state, voters(), coreRules))).toBe("no voter is left");
    expect(reasonOf(applyTask(state, voters(one.id, three.id), coreRules))).toBe(
      "node [n3-id] has no raft id",
    );
  });
});

describe("recover-state", () => {
  const elected: Task = {
    kind: "become-cluster-manager",
    node: one,
    joined: [],
    clusterUuid: "u",
  };
  const recover: Task = { kind: "recover-state", nowMs: 7 };

  test("lifts the block of a cluster whose state was not recovered, once", () => {
    const before = after(initialState("c"), elected);
    expect(checkBlock(before, "read")?.reason).toBe(
      "blocked by: [SERVICE_UNAVAILABLE/1/state not recovered / initialized];",
    );

    const state = after(before, recover);

    expect(checkBlock(state, "read")).toBeUndefined();
    expect(applyTask(state, recover, coreRules)).toEqual({ kind: "unchanged" });
  });

  test("makes unassigned copies of open indices, whose primaries recover from disk", () => {
    const full = withNewIndex(cluster(one), "books", { "index.number_of_replicas": "1" });
    const metadata = full.metadata.indices.get("books");
    if (metadata === undefined) throw new Error("no index");
    // Copies that were in sync: without them the primary would be created empty.
    const held = { ...metadata, inSyncAllocationIds: [["a1" as AllocationId]] };
    const known = { ...full.metadata, indices: new Map([["books", held]]) };
    const restarted = { ...elected, node: { ...one, ephemeralId: "again" } } as Task;

    const state = after(after({ ...full, metadata: known }, restarted), recover);

    const copies = state.routingTable.get("books")?.shards[0] ?? [];
    expect(copies.map(({ state: at, recoverySource }) => [at, recoverySource?.type])).toEqual([
      ["UNASSIGNED", "EXISTING_STORE"],
      ["UNASSIGNED", "PEER"],
    ]);
    expect(copies[0]?.unassignedInfo).toMatchObject({ reason: "CLUSTER_RECOVERED", atMs: 7 });
  });
});

describe("node-left", () => {
  const leave = (nodeId: NodeId): Task => ({ kind: "node-left", nodeId, reason: "disconnected" });

  test("removes the node and leaves its vote and its Raft id", () => {
    const before = after(cluster(one, two, three), {
      kind: "reconfigure-voters",
      voters: [one.id, two.id, three.id],
    });

    const state = after(before, leave(two.id));

    expect([...state.nodes.keys()]).toEqual([one.id, three.id]);
    expect(state.metadata.coordination.votingConfiguration).toContain(two.id);
    expect(state.metadata.coordination.raftIds.get(two.id)).toBe(2);
  });

  test("is without effect for a node that is not there", () => {
    expect(applyTask(cluster(one), leave(two.id), coreRules)).toEqual({ kind: "unchanged" });
  });
});

describe("plugin-task", () => {
  const task: Task = { kind: "plugin-task", name: "shelf/rename", body: { to: "new" } };

  test("is applied by the plugin's reducer of its name, with its body", () => {
    const rules = composeRules([
      {
        reducers: {
          "shelf/rename": (state, body) => ({
            kind: "updated",
            state: { ...state, clusterName: String(body["to"]) },
          }),
        },
      },
    ]);

    const outcome = applyTask(cluster(one), task, rules);

    expect(outcome).toMatchObject({ kind: "updated", state: { clusterName: "new" } });
  });

  test("is refused where the plugin is not installed", () => {
    expect(reasonOf(applyTask(cluster(one), task, coreRules))).toBe(
      "Unknown cluster state update [shelf/rename], the plugin that knows it is not installed",
    );
  });
});
