/** Tasks of indices, aliases, mappings and settings, and of elections and joins: what each changes, and what it refuses. */
import { describe, expect, test, vi } from "vitest";
import type { IndexUuid, NodeId } from "@orrery/stdx";
import {
  coreRules,
  applyEntry,
  applyTask,
  checkBlock,
  checkBlockForRelease,
  desiredVoters,
  hasTombstone,
  initialState,
  type ClusterState,
  type DiscoveryNode,
  type Task,
} from "../src/index.ts";
import { after, cluster, creation, node, reasonOf, withNewIndex } from "./fixture.ts";

const one = node("n1");
const two = node("n2");

function metadata(state: ClusterState, index: string) {
  const found = state.metadata.indices.get(index);
  if (found === undefined) throw new Error(`no index ${index}`);
  return found;
}

describe("become-cluster-manager", () => {
  const election: Task = {
    kind: "become-cluster-manager",
    node: one,
    joined: [],
    clusterUuid: "u1",
  };

  test("gives the first cluster its uuid, its voter and Raft id 1", () => {
    const state = after(initialState("c"), election);

    expect(state.managerNodeId).toBe(one.id);
    expect(state.metadata.clusterUuid).toBe("u1");
    expect(state.metadata.coordination.votingConfiguration).toEqual([one.id]);
    expect(state.metadata.coordination.raftIds.get(one.id)).toBe(1);
  });

  test("keeps the uuid and the other nodes when the manager changes", () => {
    const state = after(cluster(one, two), { ...election, node: two, clusterUuid: "other" });

    expect(state.metadata.clusterUuid).toBe("cluster-uuid");
    expect([...state.nodes.keys()]).toEqual([one.id, two.id]);
  });

  test("forgets the routing table when no known incarnation is alive", () => {
    const before = withNewIndex(cluster(one, two), "books");
    const restarted = { ...one, ephemeralId: "again" };

    const state = after(before, { ...election, node: restarted });

    expect([...state.nodes.keys()]).toEqual([one.id]);
    expect(state.routingTable.size).toBe(0);
    expect(checkBlock(state, "read")?.status).toBe(503);
    const recovered = after(state, { kind: "recover-state", nowMs: 9 });
    const [primary] = recovered.routingTable.get("books")?.shards[0] ?? [];
    expect(primary?.unassignedInfo?.reason).toBe("CLUSTER_RECOVERED");
    expect(checkBlock(recovered, "read")).toBeUndefined();
  });

  test("replaces an incarnation but keeps the routing table while another node is alive", () => {
    const before = withNewIndex(cluster(one, two), "books");
    const restarted = { ...one, ephemeralId: "again" };

    const state = after(before, { ...election, node: two, joined: [restarted] });

    expect(state.nodes.get(one.id)?.ephemeralId).toBe("again");
    expect(state.routingTable.has("books")).toBe(true);
  });
});

describe("a name that is excluded from voting before its node is there", () => {
  const exclusions = [
    { nodeId: "_absent_", nodeName: two.name },
    { nodeId: "_absent_", nodeName: "other" },
  ];
  const waiting = after(cluster(one), { kind: "add-voting-config-exclusions", exclusions });
  const excluded = (state: ClusterState): readonly string[] =>
    state.metadata.coordination.votingConfigExclusions.map(({ nodeId }) => nodeId);

  test("is that node's when it joins, or is there with a new cluster manager", () => {
    const joined = after(waiting, { kind: "node-join", node: two });
    const elected = after(waiting, {
      kind: "become-cluster-manager",
      node: one,
      joined: [two],
      clusterUuid: "u1",
    });

    expect(excluded(joined)).toEqual([two.id, "_absent_"]);
    expect(excluded(elected)).toEqual([two.id, "_absent_"]);
    const live = new Set([one.id, two.id]);
    expect(desiredVoters(joined, live, two.id)).toEqual([one.id]);
  });

  test("is nobody's when a node of that name joins that could not vote", () => {
    const data: DiscoveryNode = { ...two, roles: ["data"] };

    expect(excluded(after(waiting, { kind: "node-join", node: data }))).toEqual([
      "_absent_",
      "_absent_",
    ]);
  });
});

describe("node-join", () => {
  test("gives every node its own Raft id, and the same one after a return", () => {
    const left = after(cluster(one, two), {
      kind: "node-left",
      nodeId: two.id,
      reason: "disconnected",
    });
    const back = after(left, { kind: "node-join", node: { ...two, ephemeralId: "again" } });

    expect(back.metadata.coordination.raftIds.get(two.id)).toBe(2);
    expect(back.metadata.coordination.nextRaftId).toBe(3);
  });

  test.each([
    [{ ephemeralId: "again" }, "with the same id but is a different node instance"],
    [{ id: "x" as NodeId }, "with same address"],
  ])("refuses a node whose place is taken: %j", (change, words) => {
    const outcome = applyTask(
      cluster(one, two),
      {
        kind: "node-join",
        node: { ...two, ...change },
      },
      coreRules,
    );

    expect(reasonOf(outcome)).toContain(words);
  });

  test("refuses a node of another cluster, and an older node", () => {
    const state = cluster(one);

    const stranger: Task = { kind: "node-join", node: two, clusterUuid: "elsewhere" };
    const old: Task = { kind: "node-join", node: { ...two, version: "2.19.0" } };

    expect(reasonOf(applyTask(state, stranger, coreRules))).toContain(
      "join validation on cluster state with a different cluster uuid",
    );
    expect(reasonOf(applyTask(state, old, coreRules))).toBe(
      "node version [2.19.0] may not join a cluster comprising only nodes of version [3.8.0] or greater",
    );
  });

  test("expands replicas of indices that want one on every node", () => {
    const state = withNewIndex(cluster(one), "sys", { "index.auto_expand_replicas": "0-all" });
    expect(metadata(state, "sys").numberOfReplicas).toBe(0);

    const grown = after(state, { kind: "node-join", node: two, nowMs: 7 });

    expect(metadata(grown, "sys").numberOfReplicas).toBe(1);
    expect(grown.routingTable.get("sys")?.shards[0]).toHaveLength(2);
    const shrunk = after(grown, { kind: "node-left", nodeId: two.id, reason: "disconnected" });
    expect(shrunk.routingTable.get("sys")?.shards[0]).toHaveLength(1);
  });
});

describe("create-index", () => {
  const empty = cluster(one, two);

  test("adds metadata and unassigned copies", () => {
    const settings = { "index.number_of_shards": "2", "index.number_of_replicas": "1" };
    const state = withNewIndex(empty, "books", settings);

    expect(metadata(state, "books")).toMatchObject({
      numberOfShards: 2,
      numberOfReplicas: 1,
      routingNumShards: 1024,
      primaryTerms: [0, 0],
      inSyncAllocationIds: [[], []],
      version: 1,
    });
    const copies = state.routingTable.get("books")?.shards.flat() ?? [];
    expect(copies.map(({ primary, state: at }) => [primary, at])).toEqual([
      [true, "UNASSIGNED"],
      [false, "UNASSIGNED"],
      [true, "UNASSIGNED"],
      [false, "UNASSIGNED"],
    ]);
    expect(copies[0]?.recoverySource?.type).toBe("EMPTY_STORE");
    expect(copies[1]?.recoverySource?.type).toBe("PEER");
  });

  test.each([
    ["UPPER", "Invalid index name [UPPER], must be lowercase"],
    ["_a", "Invalid index name [_a], must not start with '_', '-', or '+'"],
    ["a:b", "Invalid index name [a:b], must not contain ':'"],
    ["..", "Invalid index name [..], must not be '.' or '..'"],
    [
      "é".repeat(128),
      `Invalid index name [${"é".repeat(128)}], index name is too long, (256 > 255)`,
    ],
  ])("refuses the name %s", (name, reason) => {
    expect(reasonOf(applyTask(empty, creation(empty, name), coreRules))).toBe(reason);
  });

  test("refuses a name that an index or alias has", () => {
    const state = withNewIndex(empty, "books", {}, { aliases: { shelf: {} } });

    expect(reasonOf(applyTask(state, creation(state, "books"), coreRules))).toBe(
      "index [books/books-uuid] already exists",
    );
    expect(reasonOf(applyTask(state, creation(state, "shelf"), coreRules))).toBe(
      "Invalid index name [shelf], already exists as alias",
    );
  });

  test.each([
    [
      { "index.number_of_shards": "0" },
      "Failed to parse value [0] for setting [index.number_of_shards] must be >= 1",
    ],
    [
      { "index.number_of_routing_shards": "7", "index.number_of_shards": "3" },
      "the number of source shards [3] must be a factor of [7]",
    ],
    [
      { "index.number_of_routing_shards": "2", "index.number_of_shards": "3" },
      "index.number_of_routing_shards [2] must be >= index.number_of_shards [3]",
    ],
    [
      { "index.routing_partition_size": "5000" },
      "routing partition size [5000] should be a positive number less than the number of shards [1024] for [x]",
    ],
    [
      { "index.number_of_replicas": "3000" },
      "Validation Failed: 1: this action would add [3001] total LOCAL_ONLY shards, but this cluster currently has [0]/[2000] maximum LOCAL_ONLY shards open;",
    ],
  ])("refuses %j", (settings, reason) => {
    expect(reasonOf(applyTask(empty, creation(empty, "x", settings), coreRules))).toBe(reason);
  });

  test("refuses an alias of its own name, or of the name of another index", () => {
    const state = withNewIndex(empty, "books");
    const outcome = (alias: string) =>
      applyTask(
        state,
        creation(state, "more", {}, { aliases: { free: {}, [alias]: {} } }),
        coreRules,
      );

    expect(reasonOf(outcome("books"))).toBe(
      "Invalid alias name [books], an index exists with the same name as the alias",
    );
    expect(reasonOf(outcome("more"))).toBe(
      "index, alias, and data stream names need to be unique, but the following duplicates were found [more (alias of [more/more-uuid]) conflicts with index]",
    );
    expect(outcome("other").kind).toBe("updated");
  });

  test("refuses a second write index for an alias", () => {
    const aliases = { a: { isWriteIndex: true } };
    const state = withNewIndex(empty, "i", {}, { aliases });

    expect(reasonOf(applyTask(state, creation(state, "j", {}, { aliases }), coreRules))).toBe(
      "alias [a] has more than one write index [j,i]",
    );
  });
});

describe("delete-index", () => {
  test("leaves a tombstone, and no more of them than allowed", () => {
    const state = ["a", "b", "c"].reduce((s, name) => withNewIndex(s, name), cluster(one));

    const deleted = ["a", "b", "c"].reduce(
      (s, index) =>
        after(s, {
          kind: "delete-index",
          index,
          uuid: `${index}-uuid` as IndexUuid,
          nowMs: 5,
          maxTombstones: 2,
        }),
      state,
    );

    expect(deleted.metadata.indices.size).toBe(0);
    expect(deleted.routingTable.size).toBe(0);
    expect(
      ["a", "b", "c"].map((name) => hasTombstone(deleted, `${name}-uuid` as IndexUuid)),
    ).toEqual([false, true, true]);
  });
});

describe("put-mapping", () => {
  test("is refused, to be tried again, when the mapping has moved on", () => {
    const state = withNewIndex(cluster(one), "books");
    const uuid = "books-uuid" as IndexUuid;
    const task: Task = {
      kind: "put-mapping",
      index: "books",
      uuid,
      expectedMappingVersion: 1,
      mapping: { properties: { a: { type: "keyword" } } },
    };

    const changed = after(state, task);

    expect(metadata(changed, "books").mappingVersion).toBe(2);
    expect(applyTask(changed, task, coreRules)).toMatchObject({
      kind: "rejected",
      error: { isRetryable: true },
    });
    expect(applyTask(changed, { ...task, expectedMappingVersion: 2 }, coreRules)).toEqual({
      kind: "unchanged",
    });
  });
});

describe("update-index-settings", () => {
  const base = withNewIndex(cluster(one, two), "books");
  const update = (settings: Record<string, string | null>, preserveExisting = false): Task => ({
    kind: "update-index-settings",
    indices: ["books"],
    settings,
    preserveExisting,
    nowMs: 50,
  });

  test.each([
    [
      { "index.codec": "zlib", "index.number_of_shards": "2" },
      "Can't update non dynamic settings [[index.codec, index.number_of_shards]] for open indices [[books/books-uuid]]",
    ],
    [
      { "index.number_of_shardz": "2" },
      "unknown setting [index.number_of_shardz] did you mean [index.number_of_shards]?",
    ],
    [
      { "index.uuid": "x" },
      "can not update private setting [index.uuid]; this setting is managed by OpenSearch",
    ],
    [
      { "index.number_of_replicas": "-1" },
      "Failed to parse value [-1] for setting [index.number_of_replicas] must be >= 0",
    ],
  ])("refuses %j", (settings, reason) => {
    expect(reasonOf(applyTask(base, update(settings), coreRules))).toBe(reason);
  });

  test("grows and shrinks the routing row with the number of replicas", () => {
    const grown = after(base, update({ "index.number_of_replicas": "3" }));

    const row = grown.routingTable.get("books")?.shards[0] ?? [];
    expect(row).toHaveLength(4);
    expect(row[3]?.unassignedInfo).toMatchObject({ reason: "REPLICA_ADDED", atMs: 50 });
    expect(metadata(grown, "books")).toMatchObject({ numberOfReplicas: 3, settingsVersion: 2 });
    const reset = after(grown, update({ "index.number_of_replicas": null }));
    expect(reset.routingTable.get("books")?.shards[0]).toHaveLength(2);
  });

  test("raises and lifts blocks", () => {
    const blocked = after(base, update({ "index.blocks.write": "true" }));

    expect(checkBlock(blocked, "write", "books")).toMatchObject({
      status: 403,
      reason: "index [books] blocked by: [FORBIDDEN/8/index write (api)];",
    });
    const lifted = after(blocked, update({ "index.blocks.write": null }));
    expect(checkBlock(lifted, "write", "books")).toBeUndefined();
  });

  test("raises several blocks, which are named together", () => {
    const settings = {
      "index.blocks.write": "true",
      "index.blocks.read_only_allow_delete": "true",
    };
    const blocked = after(base, update(settings));

    expect(checkBlock(blocked, "write", ["books"])).toMatchObject({
      status: 403,
      reason:
        "index [books] blocked by: [FORBIDDEN/8/index write (api), TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];",
    });
    expect(checkBlockForRelease(blocked, ["books"])).toBeUndefined();
    expect(checkBlock(blocked, "metadata_write", "books")?.status).toBe(429);
  });

  test("changes nothing that is set already when it preserves existing settings", () => {
    const outcome = applyTask(base, update({ "index.number_of_replicas": "4" }, true), coreRules);

    expect(outcome.kind).toBe("unchanged");
  });

  test("changes any but final settings of a closed index", () => {
    const closed = ["block", "close"].reduce(
      (state, step) =>
        after(state, {
          kind: "close-index",
          step: step as "block" | "close",
          indices: ["books"],
          nowMs: 3,
        }),
      base,
    );

    expect(
      metadata(after(closed, update({ "index.codec": "zlib" })), "books").settings,
    ).toMatchObject({ "index.codec": "zlib" });
    expect(reasonOf(applyTask(closed, update({ "index.number_of_shards": "3" }), coreRules))).toBe(
      "final books setting [index.number_of_shards], not updateable",
    );
  });
});

describe("update-cluster-settings", () => {
  const base = cluster(one);
  const update = (
    persistent: Record<string, string | null>,
    transient: Record<string, string | null> = {},
  ): Task => ({ kind: "update-cluster-settings", persistent, transient });

  test.each([
    [{ foo: "1" }, "persistent setting [foo], not recognized"],
    [{ "cluster.name": "x" }, "persistent setting [cluster.name], not dynamically updateable"],
    [{ "cluster.routing.allocation.enable": "foo" }, "Illegal allocation.enable value [FOO]"],
    [
      { "indices.recovery.max_bytes_per_sec": "abc" },
      "failed to parse setting [indices.recovery.max_bytes_per_sec] with value [abc] as a size in bytes: unit is missing or unrecognized",
    ],
    [
      { "cluster.routing.allocation.disk.watermark.low": "99%" },
      "low disk watermark [99%] more than high disk watermark [90%]",
    ],
  ])("refuses %j", (settings, reason) => {
    expect(reasonOf(applyTask(base, update(settings), coreRules))).toBe(reason);
  });

  test("resets every matching key with a wildcard null", () => {
    const set = after(
      base,
      update(
        {},
        {
          "logger.org.x": "DEBUG",
          "logger.org.y": "DEBUG",
          "indices.recovery.max_bytes_per_sec": "1mb",
        },
      ),
    );

    const reset = after(set, update({}, { "logger.*": null }));

    expect(reset.metadata.transientSettings).toEqual({
      "indices.recovery.max_bytes_per_sec": "1mb",
    });
  });

  test("raises the read-only block of the cluster", () => {
    const state = after(base, update({ "cluster.blocks.read_only": "true" }));

    expect(checkBlock(state, "metadata_write")?.reason).toBe(
      "blocked by: [FORBIDDEN/6/cluster read-only (api)];",
    );
  });
});

describe("update-aliases", () => {
  const base = withNewIndex(withNewIndex(cluster(one), "i"), "j");

  test("makes one version of the aliases, however many actions there are", () => {
    const state = after(base, {
      kind: "update-aliases",
      nowMs: 1,
      actions: [
        { kind: "add", index: "i", alias: "a", metadata: {} },
        { kind: "add", index: "i", alias: "b", metadata: { isWriteIndex: true } },
      ],
    });

    expect(metadata(state, "i").aliasesVersion).toBe(2);
    expect([...metadata(state, "i").aliases.keys()]).toEqual(["a", "b"]);
  });

  test("costs as much for an action whatever number of them came before it", () => {
    // A copy of a map is made of sets too, so they tell the copies.
    const sets = vi.spyOn(Map.prototype, "set");
    const setsFor = (count: number): number => {
      const actions = Array.from({ length: count }, (_, i) => ({
        kind: "add" as const,
        index: "i",
        alias: `a${i}`,
        metadata: {},
      }));
      const before = sets.mock.calls.length;
      applyTask(base, { kind: "update-aliases", nowMs: 1, actions }, coreRules);
      return sets.mock.calls.length - before;
    };
    const [first, second, third] = [setsFor(100), setsFor(200), setsFor(300)];
    sets.mockRestore();

    expect(first).toBeGreaterThanOrEqual(100);
    expect(third - second).toBe(second - first);
  });

  test("compares the holders of an alias in the order of indices, whichever action named it", () => {
    const outcome = applyTask(
      base,
      {
        kind: "update-aliases",
        nowMs: 1,
        actions: [
          { kind: "add", index: "j", alias: "a", metadata: { isWriteIndex: true } },
          { kind: "add", index: "j", alias: "b", metadata: {} },
          { kind: "add", index: "i", alias: "a", metadata: { isWriteIndex: true } },
        ],
      },
      coreRules,
    );

    expect(reasonOf(outcome)).toBe("alias [a] has more than one write index [i,j]");
  });

  test("refuses to remove an alias that must exist, and does nothing at all then", () => {
    const outcome = applyTask(
      base,
      {
        kind: "update-aliases",
        nowMs: 1,
        actions: [
          { kind: "add", index: "i", alias: "a", metadata: {} },
          { kind: "remove", index: "i", alias: "zz", mustExist: true },
        ],
      },
      coreRules,
    );

    expect(reasonOf(outcome)).toBe("aliases [zz] missing");
  });

  test("swaps an index for an alias of its name in one step", () => {
    const state = after(base, {
      kind: "update-aliases",
      nowMs: 1,
      actions: [
        { kind: "add", index: "j", alias: "i", metadata: {} },
        { kind: "remove-index", index: "i" },
      ],
    });

    expect([...state.metadata.indices.keys()]).toEqual(["j"]);
    expect(metadata(state, "j").aliases.has("i")).toBe(true);
  });
});

const close = (step: "block" | "close"): Task => ({
  kind: "close-index",
  step,
  indices: ["books"],
  nowMs: 3,
});

const open: Task = { kind: "open-index", indices: ["books"], nowMs: 4 };

describe("close-index", () => {
  test("blocks writes first, and closes the index when its node has flushed", () => {
    const base = withNewIndex(cluster(one), "books");

    const stopped = after(base, close("block"));
    expect(checkBlock(stopped, "write", "books")?.status).toBe(403);
    expect(checkBlock(stopped, "read", "books")).toBeUndefined();

    const closed = after(stopped, close("close"));
    expect(metadata(closed, "books").state).toBe("close");
    expect(checkBlock(closed, "read", "books")?.reason).toContain("FORBIDDEN/4/index closed");
    expect(applyTask(closed, close("close"), coreRules).kind).toBe("unchanged");
  });

  test("does not close an index that was opened between the steps", () => {
    const stopped = after(withNewIndex(cluster(one), "books"), close("block"));
    const opened = after(stopped, open);

    expect(applyTask(opened, close("close"), coreRules).kind).toBe("unchanged");
  });

  test("is refused for an index that is not there, and where closing is disabled", () => {
    expect(reasonOf(applyTask(cluster(one), close("block"), coreRules))).toBe(
      "no such index [books]",
    );
    const disabled = after(withNewIndex(cluster(one), "books"), {
      kind: "update-cluster-settings",
      persistent: { "cluster.indices.close.enable": "false" },
      transient: {},
    });
    expect(reasonOf(applyTask(disabled, close("block"), coreRules))).toMatch(
      /^closing indices is disabled - set \[cluster\.indices\.close\.enable: true\] to enable it\./,
    );
  });
});

describe("open-index", () => {
  test("lifts the blocks of a closed index, whose copies start from what is on disk", () => {
    const base = withNewIndex(cluster(one), "books");
    const closed = after(after(base, close("block")), close("close"));

    const opened = after(closed, open);

    expect(checkBlock(opened, "write", "books")).toBeUndefined();
    expect(metadata(opened, "books").state).toBe("open");
    expect(opened.routingTable.get("books")?.shards[0]?.[0]?.unassignedInfo?.reason).toBe(
      "INDEX_REOPENED",
    );
    expect(metadata(opened, "books").settings).not.toHaveProperty("index.verified_before_close");
    expect(applyTask(opened, open, coreRules).kind).toBe("unchanged");
  });
});

describe("an entry", () => {
  test("that changes nothing keeps the version", () => {
    const state = cluster(one);
    const position = { term: 1, index: 9 };

    expect(
      applyEntry(state, { tasks: [{ kind: "recover-state", nowMs: 1 }] }, position, coreRules),
    ).toBe(state);
  });

  test("makes one version and one uuid, the same on every node", () => {
    const state = cluster(one);
    const entry = { tasks: [creation(state, "a"), creation(state, "b")] };

    const here = applyEntry(state, entry, { term: 2, index: 9 }, coreRules);
    const there = applyEntry(state, entry, { term: 2, index: 9 }, coreRules);

    expect(here.version).toBe(state.version + 1);
    expect(here.stateUuid).toBe(there.stateUuid);
    expect(here.stateUuid).toHaveLength(22);
    expect(here.term).toBe(2);
    expect(here.metadata.version).toBe(state.metadata.version + 1);
  });
});
