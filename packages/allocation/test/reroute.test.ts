/** Rounds of allocation on small clusters: placement, departures, failures, delays, settings. */
import { describe, expect, test } from "vitest";
import { primaryOf, type ShardRouting } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import { reroute } from "../src/index.ts";
import {
  apply,
  copies,
  createIndex,
  inputsOf,
  inSync,
  initializing,
  layout,
  leave,
  node,
  setCluster,
  settle,
  start,
  step,
  termOf,
  world,
} from "./fixture.ts";

const three = [node("n1"), node("n2"), node("n3")];

function perNode(held: readonly ShardRouting[]): readonly number[] {
  const counts = three.map(({ id }) => held.filter(({ nodeId }) => nodeId === id).length);
  return counts.toSorted((a, b) => a - b);
}

describe("a new index", () => {
  test("gets its primaries at once, and its replicas when they are active", () => {
    const made = world(...three);
    createIndex(made, "books", 3, 1);

    step(made);

    expect(initializing(made).map(({ primary }) => primary)).toEqual([true, true, true]);
    start(made, initializing(made));
    expect(initializing(made)).toHaveLength(3);
    start(made, initializing(made));
    expect(perNode(copies(made))).toEqual([2, 2, 2]);
    expect(copies(made).every(({ state }) => state === "STARTED")).toBe(true);
  });

  test("spreads primaries and replicas evenly over three nodes", () => {
    const made = world(...three);
    createIndex(made, "books", 6, 1);

    settle(made);

    expect(perNode(copies(made))).toEqual([4, 4, 4]);
    expect(perNode(copies(made).filter(({ primary }) => primary))).toEqual([2, 2, 2]);
  });

  test("lands where OpenSearch 3.8.0 puts it on three nodes", () => {
    const made = world(...three);
    createIndex(made, "a", 3, 1);
    settle(made);
    createIndex(made, "b", 5, 1);
    settle(made);

    expect(layout(made)).toEqual({
      "a/0": "n1 n2",
      "a/1": "n2 n3",
      "a/2": "n3 n1",
      "b/0": "n1 n3",
      "b/1": "n2 n3",
      "b/2": "n3 n1",
      "b/3": "n1 n2",
      "b/4": "n2 n3",
    });
  });

  test("leaves a replica unassigned when every node holds a copy", () => {
    const made = world(node("n1"));
    createIndex(made, "books", 1, 1);

    settle(made);

    expect(layout(made)).toEqual({ "books/0": "n1 -" });
    expect(step(made).delta).toBeUndefined();
  });

  test("begins with primary term 1 and its own id in sync", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 1);

    settle(made);

    expect(termOf(made, "books", 0)).toBe(1);
    const ids = copies(made).map(({ allocationId }) => allocationId);
    expect(inSync(made, "books", 0)).toEqual(ids);
  });
});

test("nothing to do gives back the same state", () => {
  const made = world(...three);
  createIndex(made, "books", 3, 1);
  settle(made);

  const result = reroute(made.state, inputsOf(made));

  expect(result.state).toBe(made.state);
  expect(result).toMatchObject({ delta: undefined, needs: [], nextDelayMs: undefined });
});

describe("a node that leaves", () => {
  function replicated() {
    const made = world(...three);
    createIndex(made, "books", 1, 1);
    settle(made);
    const primary = primaryOf(made.state, "books", 0);
    const replica = copies(made).find((copy) => !copy.primary);
    if (primary?.nodeId === undefined || replica?.nodeId === undefined) throw new Error("copies");
    return { made, primary, replica, primaryNode: primary.nodeId, replicaNode: replica.nodeId };
  }

  test("with the primary makes the replica primary, under a new term", () => {
    const { made, primaryNode, replica } = replicated();

    leave(made, primaryNode);

    const promoted = primaryOf(made.state, "books", 0);
    expect(promoted?.allocationId).toBe(replica.allocationId);
    expect(promoted?.state).toBe("STARTED");
    expect(termOf(made, "books", 0)).toBe(2);
    expect(inSync(made, "books", 0)).toHaveLength(2);
  });

  test("leaves an index with a replica on every node only its live copies", () => {
    const made = world(...three);
    createIndex(made, "sys", 1, 0, { "index.auto_expand_replicas": "0-all" });
    settle(made);
    const before = copies(made);
    const primaryNode = primaryOf(made.state, "sys", 0)?.nodeId ?? ("" as NodeId);

    const { delta } = leave(made, primaryNode);

    const live = before.filter(({ nodeId }) => nodeId !== primaryNode);
    expect(copies(made)).toHaveLength(2);
    expect(copies(made).map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
    expect(new Set(copies(made).map(({ allocationId }) => allocationId))).toEqual(
      new Set(live.map(({ allocationId }) => allocationId)),
    );
    expect(termOf(made, "sys", 0)).toBe(2);
    expect(delta?.indices[0]?.shards[0]).toHaveLength(2);
    leave(made, primaryOf(made.state, "sys", 0)?.nodeId ?? ("" as NodeId));
    expect(copies(made)).toMatchObject([{ primary: true, state: "STARTED" }]);
  });

  test("takes a copy from an index whose replicas may not be on one of the nodes any more", () => {
    const made = world(...three);
    createIndex(made, "sys", 1, 0, { "index.auto_expand_replicas": "0-all" });
    settle(made);

    setCluster(made, { "cluster.routing.allocation.exclude._name": "n2" });
    settle(made);

    expect(copies(made).map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
    expect(layout(made)["sys/0"]).not.toContain("n2");
  });

  test("delays the lost replica, and allocates it elsewhere after the delay", () => {
    const { made, replicaNode } = replicated();

    const result = leave(made, replicaNode);

    expect(result.nextDelayMs).toBe(60_000);
    const lost = copies(made).find(({ state }) => state === "UNASSIGNED");
    expect(lost?.unassignedInfo).toMatchObject({
      reason: "NODE_LEFT",
      delayed: true,
      details: `node_left [${replicaNode}]`,
    });
    made.nowMs += 59_999;
    expect(step(made).nextDelayMs).toBe(1);
    made.nowMs += 1;
    step(made);
    expect(initializing(made)).toHaveLength(1);
  });

  test("takes its replica back when it returns before the delay is over", () => {
    const { made, replicaNode } = replicated();
    const returning = made.state.nodes.get(replicaNode);
    if (returning === undefined) throw new Error("node");
    leave(made, replicaNode);

    apply(made, { kind: "node-join", node: { ...returning, ephemeralId: "again" } });
    made.nowMs += 10;
    step(made);

    expect(initializing(made).map(({ nodeId }) => nodeId)).toEqual([replicaNode]);
  });

  test("counts the delay as its cluster manager does, whatever the clock says", () => {
    const { made, replicaNode } = replicated();
    leave(made, replicaNode);
    made.nowMs += 50_000;

    const result = step(made, { waitedMs: () => 0 });

    expect(result.nextDelayMs).toBe(60_000);
    made.nowMs -= 3_600_000;
    expect(step(made, { waitedMs: () => 59_000 }).nextDelayMs).toBe(1000);
    step(made, { waitedMs: () => 60_000 });
    expect(initializing(made)).toHaveLength(1);
  });

  test("with the only copy leaves a primary that waits for that copy", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 0);
    settle(made);
    const holder = primaryOf(made.state, "books", 0)?.nodeId;
    const returning = holder === undefined ? undefined : made.state.nodes.get(holder);
    if (holder === undefined || returning === undefined) throw new Error("holder");
    const before = inSync(made, "books", 0);

    leave(made, holder);

    const lost = primaryOf(made.state, "books", 0);
    expect(lost?.unassignedInfo?.lastAllocationStatus).toBe("no_valid_shard_copy");
    expect(inSync(made, "books", 0)).toEqual(before);
    apply(made, { kind: "node-join", node: { ...returning, ephemeralId: "again" } });
    step(made);
    expect(primaryOf(made.state, "books", 0)).toMatchObject({
      state: "INITIALIZING",
      nodeId: holder,
      allocationId: before[0],
    });
    settle(made);
    expect(termOf(made, "books", 0)).toBe(3);
  });

  test("in another incarnation loses its copies although it is in the state", () => {
    const { made, primaryNode } = replicated();

    step(made, { replacedNodeIds: [primaryNode] });

    expect(primaryOf(made.state, "books", 0)?.nodeId).not.toBe(primaryNode);
    expect(termOf(made, "books", 0)).toBe(2);
  });
});

describe("stores", () => {
  test("are asked for before a primary with data is placed", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 0);
    settle(made);
    const holder = primaryOf(made.state, "books", 0)?.nodeId;
    if (holder === undefined) throw new Error("holder");

    apply(made, { kind: "node-left", nodeId: holder, reason: "disconnected" });
    const result = step(made, { shardStores: new Map() });

    const others = [...made.state.nodes.keys()];
    expect(result.needs).toEqual([{ index: "books", shard: 0, nodeIds: others }]);
    expect(primaryOf(made.state, "books", 0)?.unassignedInfo?.lastAllocationStatus).toBe(
      "fetching_shard_data",
    );
  });
});

describe("a lost primary", () => {
  test("goes to nobody by what was told while there was one: a recovery may have overwritten it", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 0);
    settle(made);
    const before = made.state;
    const holder = primaryOf(before, "books", 0)?.nodeId ?? ("" as NodeId);
    leave(made, holder);
    made.state = { ...made.state, nodes: before.nodes };
    const fresh = inputsOf(made).shardStores ?? new Map();
    const told = [...fresh].map(([key, stores]) => [key, { ...stores, hadPrimary: true }] as const);

    const result = step(made, { shardStores: new Map(told) });

    expect(result.needs).toEqual([
      { index: "books", shard: 0, nodeIds: three.map(({ id }) => id) },
    ]);
    expect(primaryOf(made.state, "books", 0)?.state).toBe("UNASSIGNED");
    step(made, { shardStores: fresh });
    expect(primaryOf(made.state, "books", 0)?.nodeId).toBe(holder);
  });
});

describe("a failed copy", () => {
  test("is tried again, up to five times, and then when an operator says so", () => {
    const made = world(node("n1"));
    createIndex(made, "books", 1, 0);
    step(made);

    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const [copy] = initializing(made);
      if (copy === undefined) throw new Error(`no attempt ${attempt}`);
      step(made, { failed: [{ routing: copy, message: "boom", markAsStale: false }] });
      step(made);
    }

    expect(initializing(made)).toHaveLength(0);
    const [copy] = copies(made);
    expect(copy?.unassignedInfo).toMatchObject({
      reason: "ALLOCATION_FAILED",
      failedAllocations: 5,
      details: "failed shard on node [n1-id]: boom",
    });
    step(made, { retryFailed: true });
    expect(initializing(made)).toHaveLength(1);
  });

  test("that is stale leaves the in-sync set at once", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 1);
    settle(made);
    const replica = copies(made).find((copy) => !copy.primary);
    if (replica === undefined) throw new Error("replica");

    step(made, { failed: [{ routing: replica, message: "behind", markAsStale: true }] });

    expect(inSync(made, "books", 0)).not.toContain(replica.allocationId);
    expect(inSync(made, "books", 0)).toHaveLength(1);
  });

  test("that nobody knows any more changes nothing", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 0);
    step(made);
    const [copy] = initializing(made);
    if (copy === undefined) throw new Error("copy");
    const failed = [{ routing: copy, message: "boom", markAsStale: false }];
    step(made, { failed });

    expect(step(made, { failed }).delta).toBeUndefined();
  });
});

describe("in-sync ids without a copy", () => {
  test("are removed when a primary reports them, but never the last one", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 1);
    settle(made);
    const replica = copies(made).find((copy) => !copy.primary);
    if (replica?.nodeId === undefined || replica.allocationId === undefined) throw new Error("r");
    leave(made, replica.nodeId);

    const stale = [{ index: "books", shard: 0, allocationId: replica.allocationId }];
    step(made, { stale });

    expect(inSync(made, "books", 0)).toEqual([primaryOf(made.state, "books", 0)?.allocationId]);
  });
});

describe("an in-sync id that its primary reports as stale", () => {
  test("becomes no primary in the round that removes it", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 1);
    settle(made);
    const before = primaryOf(made.state, "books", 0);
    const replica = copies(made).find((copy) => !copy.primary);
    const holders = three.filter(({ id }) => id === before?.nodeId || id === replica?.nodeId);
    if (before?.allocationId === undefined || before.nodeId === undefined) throw new Error("p");
    if (replica?.nodeId === undefined) throw new Error("replica");
    leave(made, before.nodeId);
    leave(made, replica.nodeId);
    for (const holder of holders) apply(made, { kind: "node-join", node: holder });

    step(made, { stale: [{ index: "books", shard: 0, allocationId: before.allocationId }] });

    expect(inSync(made, "books", 0)).toEqual([replica.allocationId]);
    expect(primaryOf(made.state, "books", 0)).toMatchObject({
      state: "INITIALIZING",
      allocationId: replica.allocationId,
    });
  });
});

describe("a node that joins", () => {
  test("gets its share, two copies at a time", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 6, 0);
    settle(made);
    apply(made, { kind: "node-join", node: node("n3") });

    step(made);

    expect(copies(made).filter(({ state }) => state === "RELOCATING")).toHaveLength(2);
    settle(made);
    expect(perNode(copies(made))).toEqual([2, 2, 2]);
  });

  test("takes over a primary without a new term", () => {
    const made = world(node("n1"));
    createIndex(made, "books", 3, 0);
    settle(made);
    apply(made, { kind: "node-join", node: node("n2") });

    settle(made);

    expect(perNode(copies(made))).toEqual([0, 1, 2]);
    expect([0, 1, 2].map((shard) => termOf(made, "books", shard))).toEqual([1, 1, 1]);
    for (const shard of [0, 1, 2]) expect(inSync(made, "books", shard)).toHaveLength(1);
  });
});

describe("settings", () => {
  test("that exclude a node empty it", () => {
    const made = world(...three);
    createIndex(made, "books", 3, 1);
    settle(made);

    setCluster(made, { "cluster.routing.allocation.exclude._name": "n3" });
    settle(made);

    expect(perNode(copies(made))).toEqual([0, 3, 3]);
  });

  test("that force zones keep the second zone's copies unassigned", () => {
    const made = world(
      node("n1", { attributes: { zone: "a" } }),
      node("n2", { attributes: { zone: "a" } }),
    );
    setCluster(made, {
      "cluster.routing.allocation.awareness.attributes": "zone",
      "cluster.routing.allocation.awareness.force.zone.values": "a,b",
    });
    createIndex(made, "books", 1, 1);
    settle(made);
    expect(layout(made)["books/0"]).toMatch(/ -$/);

    apply(made, { kind: "node-join", node: node("n3", { attributes: { zone: "b" } }) });
    settle(made);

    expect(layout(made)["books/0"]).toMatch(/ n3$/);
  });

  test("that disable allocation leave a new index red", () => {
    const made = world(...three);
    setCluster(made, { "cluster.routing.allocation.enable": "none" });
    createIndex(made, "books", 1, 0);

    step(made);

    expect(copies(made)[0]?.unassignedInfo?.lastAllocationStatus).toBe("deciders_no");
  });

  test("that limit shards of a node are obeyed", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 4, 0, { "index.routing.allocation.total_shards_per_node": "1" });

    settle(made);

    expect(copies(made).filter(({ state }) => state === "STARTED")).toHaveLength(2);
  });
});

describe("disks", () => {
  const usage = (freeBytes: number) => ({ path: "/", totalBytes: 100, freeBytes });
  const info = (free: readonly number[]) => ({
    diskUsages: new Map(three.map(({ id }, i) => [id, usage(free[i] ?? 0)])),
    shardSizes: new Map<string, number>(),
  });

  test("above the low watermark take no replica, above the high one lose what they have", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 1);
    step(made, { info: info([50, 12, 8]) });
    expect(initializing(made).map(({ nodeId }) => nodeId)).not.toContain("n3-id");

    setCluster(made, { "cluster.routing.allocation.exclude._name": "n2,n3" });
    settle(made);
    setCluster(made, { "cluster.routing.allocation.exclude._name": null });
    step(made, { info: info([50, 12, 8]) });
    expect(initializing(made)).toHaveLength(0);

    step(made, { info: info([5, 50, 50]) });
    const moving = copies(made).find(({ state }) => state === "RELOCATING");
    expect(moving?.nodeId).toBe("n1-id");
  });

  test("do not count when the configuration of the elected node says so, until the cluster's settings disagree", () => {
    const nodeSettings = { "cluster.routing.allocation.disk.threshold_enabled": "false" };
    const made = world(...three);
    createIndex(made, "books", 1, 2);
    setCluster(made, { "cluster.routing.allocation.disk.threshold_enabled": "true" });
    const round = () =>
      step(made, { info: info([50, 12, 8]), nodeSettings, started: initializing(made) });
    round();
    round();
    expect(copies(made).map(({ nodeId }) => nodeId)).not.toContain("n3-id");

    setCluster(made, { "cluster.routing.allocation.disk.threshold_enabled": null });
    const before = made.state.metadata.persistentSettings;
    round();

    expect(copies(made).map(({ nodeId }) => nodeId)).toContain("n3-id");
    expect(made.state.metadata.persistentSettings).toBe(before);
  });
});

describe("a replica whose data is on disk", () => {
  test("goes to the node with most of the primary's files", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 1, { "index.unassigned.node_left.delayed_timeout": "0" });
    settle(made);
    const primary = primaryOf(made.state, "books", 0);
    const [, replica] = copies(made);
    if (primary?.nodeId === undefined || replica?.nodeId === undefined) throw new Error("copies");
    const spare = three.find(({ id }) => id !== primary.nodeId && id !== replica.nodeId);
    if (spare === undefined) throw new Error("spare");
    made.disks.get("books/0")?.set(spare.id, {
      nodeId: spare.id,
      allocationId: undefined,
      wasPrimary: false,
      files: [{ name: "_0.cfs", lengthBytes: 100, checksum: "c" }],
    });
    made.disks.get("books/0")?.delete(replica.nodeId);

    step(made, { failed: [{ routing: replica, message: "x", markAsStale: true }] });

    expect(initializing(made).map(({ nodeId }) => nodeId)).toEqual([spare.id]);
  });

  test("leaves a node that copies everything for one that has everything", () => {
    const made = world(...three);
    createIndex(made, "books", 1, 1, { "index.unassigned.node_left.delayed_timeout": "0" });
    settle(made);
    const primary = primaryOf(made.state, "books", 0);
    const [, replica] = copies(made);
    if (primary?.nodeId === undefined || replica?.nodeId === undefined) throw new Error("copies");
    const lost = made.state.nodes.get(replica.nodeId);
    if (lost === undefined) throw new Error("lost");
    leave(made, lost.id);
    const [elsewhere] = initializing(made);
    expect(elsewhere?.nodeId).not.toBe(lost.id);
    const disks = made.disks.get("books/0");
    const stored = disks?.get(primary.nodeId);
    if (stored === undefined) throw new Error("stored");
    disks?.set(primary.nodeId, {
      ...stored,
      retentionLeases: [
        { nodeId: primary.nodeId, retainingSeqNo: 7 },
        { nodeId: lost.id, retainingSeqNo: 7 },
      ],
    });

    apply(made, { kind: "node-join", node: { ...lost, ephemeralId: "again" } });
    step(made);

    const [now] = initializing(made);
    expect(now).toMatchObject({
      nodeId: lost.id,
      unassignedInfo: { reason: "REALLOCATED_REPLICA", failedNodeIds: [elsewhere?.nodeId] },
    });
  });
});
