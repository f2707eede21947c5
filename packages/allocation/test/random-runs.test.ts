/** The invariants of allocation, under random histories. */
import { forSeeds, type Random } from "@orrery/seeds";
import { expect, test } from "vitest";
import { isActive, primaryOf, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import type { AllocationId } from "@orrery/stdx";
import {
  apply,
  copies,
  createIndex,
  initializing,
  node,
  setCluster,
  settle,
  start,
  step,
  world,
  type World,
} from "./fixture.ts";

const nodes = ["n1", "n2", "n3", "n4", "n5"].map((name, i) =>
  node(name, { attributes: { zone: i % 2 === 0 ? "a" : "b" } }),
);

/** Any history of joins, departures, failures, starts, settings and indices; every state on the way is judged. */
test("INV-ALLOC-1, INV-ALLOC-2, INV-ALLOC-3, INV-ALLOC-4, INV-ALLOC-5: random histories keep every rule and end with all copies placed", () => {
  forSeeds(150, (random) => {
    const made = world(...nodes.slice(0, random.int(1, 3)));
    for (let i = 0; i < 40; i += 1) {
      const before = made.state;
      act(made, random);
      judge(before, made);
    }
    recover(made);
    const rounds = settle(made);
    made.nowMs += 120_000;
    settle(made);
    expect(rounds).toBeLessThan(250);
    expectPlaced(made);
    expect(step(made).delta).toBeUndefined();
  });
});

function act(made: World, random: Random): void {
  made.nowMs += random.int(1, 40_000);
  const live = [...made.state.nodes.values()];
  const gone = nodes.filter(({ id }) => !made.state.nodes.has(id));
  switch (random.int(0, 8)) {
    case 0: {
      const name = `i${random.int(1, 4)}`;
      if (!made.state.metadata.indices.has(name)) {
        createIndex(made, name, random.int(1, 4), random.int(0, 2));
      }
      step(made);
      return;
    }
    case 1: {
      const target = random.pick(live);
      if (live.length > 1) {
        apply(made, { kind: "node-left", nodeId: target.id, reason: "disconnected" });
      }
      step(made);
      return;
    }
    case 2: {
      if (gone.length > 0) {
        const returning = random.pick(gone);
        const ephemeralId = `e${random.int(1, 1_000_000)}`;
        apply(made, { kind: "node-join", node: { ...returning, ephemeralId } });
      }
      step(made);
      return;
    }
    case 3: {
      const failed = copies(made)
        .filter(({ nodeId }) => nodeId !== undefined)
        .filter(() => random.int(0, 5) === 0);
      step(made, {
        failed: failed.map((routing) => ({ routing, message: "x", markAsStale: !routing.primary })),
      });
      return;
    }
    case 4: {
      const enable = random.pick(["all", "primaries", null]);
      setCluster(made, { "cluster.routing.allocation.enable": enable });
      step(made);
      return;
    }
    default:
      start(
        made,
        initializing(made).filter(() => random.int(0, 3) > 0),
      );
  }
}

/** All nodes come back, nothing is forbidden, and failed copies get another try. */
function recover(made: World): void {
  for (const absent of nodes.filter(({ id }) => !made.state.nodes.has(id))) {
    apply(made, { kind: "node-join", node: absent });
  }
  setCluster(made, { "cluster.routing.allocation.enable": null });
  step(made, { retryFailed: true });
}

function judge(before: ClusterState, made: World): void {
  const { state } = made;
  const assigned = copies(made).filter(({ nodeId }) => nodeId !== undefined);
  const places = assigned.map(({ index, shard, nodeId }) => `${index}/${shard}@${nodeId}`);
  expect(new Set(places).size).toBe(places.length);
  const ids = assigned.map(({ allocationId }) => allocationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const copy of assigned) expect(state.nodes.has(copy.nodeId ?? ("" as never))).toBe(true);
  for (const [name, metadata] of state.metadata.indices) {
    for (let shard = 0; shard < metadata.numberOfShards; shard += 1) {
      judgeShard(before, state, name, shard);
    }
  }
  judgeThrottles(made);
}

function judgeShard(before: ClusterState, after: ClusterState, name: string, shard: number): void {
  const old = before.metadata.indices.get(name);
  const now = after.metadata.indices.get(name);
  const oldTerm = old?.primaryTerms[shard] ?? 0;
  const nowTerm = now?.primaryTerms[shard] ?? 0;
  expect(nowTerm).toBeGreaterThanOrEqual(oldTerm);
  const primary = primaryOf(after, name, shard);
  const former = primaryOf(before, name, shard);
  const oldInSync: readonly AllocationId[] = old?.inSyncAllocationIds[shard] ?? [];
  if (oldInSync.length > 0) expect(now?.inSyncAllocationIds[shard]).not.toEqual([]);
  if (primary?.nodeId === undefined || former === undefined) return;
  const isNew = primary.allocationId !== former.allocationId;
  const isMoved = former.relocationId === primary.allocationId;
  if (!isNew || isMoved || oldInSync.length === 0) return;
  expect(oldInSync).toContain(primary.allocationId);
  expect(nowTerm).toBeGreaterThan(oldTerm);
}

/** Defaults: 4 initial primaries, 2 arriving and 2 leaving recoveries of other kinds, 4 initial replicas. */
function judgeThrottles(made: World): void {
  const recovering = initializing(made);
  const isInitial = (copy: ShardRouting): boolean =>
    copy.unassignedInfo?.reason === "INDEX_CREATED";
  for (const { id } of made.state.nodes.values()) {
    const here = recovering.filter(({ nodeId }) => nodeId === id);
    const fromDisk = here.filter((copy) => copy.primary && copy.relocatingNodeId === undefined);
    const peers = here.filter((copy) => !fromDisk.includes(copy));
    expect(fromDisk.length).toBeLessThanOrEqual(4);
    expect(peers.filter((copy) => !isInitial(copy)).length).toBeLessThanOrEqual(2);
    expect(peers.filter(isInitial).length).toBeLessThanOrEqual(4);
  }
}

function expectPlaced(made: World): void {
  for (const copy of copies(made)) {
    const metadata = made.state.metadata.indices.get(copy.index);
    const primary = primaryOf(made.state, copy.index, copy.shard);
    const isPossible = primary !== undefined && isActive(primary);
    if (!isPossible && !copy.primary) continue;
    if (copy.primary && (metadata?.inSyncAllocationIds[copy.shard] ?? []).length > 0) {
      const disks = made.disks.get(`${copy.index}/${copy.shard}`);
      const kept = new Set([...(disks?.values() ?? [])].map(({ allocationId }) => allocationId));
      const inSync = metadata?.inSyncAllocationIds[copy.shard] ?? [];
      if (!inSync.some((id) => kept.has(id))) continue;
    }
    expect(`${copy.index}/${copy.shard} ${copy.state}`).toBe(`${copy.index}/${copy.shard} STARTED`);
  }
}
