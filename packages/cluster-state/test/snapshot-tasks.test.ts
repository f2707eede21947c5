/** Tasks of repositories, snapshots, deletions, restores and clean-ups: what each changes, and what it refuses. */
import { defined, type IndexUuid } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  applyRoutingDelta,
  applyTask,
  cleanupsOf,
  coreRules,
  deletionsOf,
  plainIndexMetadata,
  repositoriesOf,
  restoresOf,
  snapshotsOf,
  type ClusterState,
  type ShardRouting,
  type Task,
} from "../src/index.ts";
import { after, cluster, creation, node, reasonOf, withNewIndex } from "./fixture.ts";

const first = node("one");
const put: Task = { kind: "put-repository", name: "r", type: "fs", settings: { location: "/r" } };
const registered = after(cluster(first, node("two")), put);

/** The index `docs` of two shards, whose primaries are started on the first node. */
const ready = started(
  after(registered, creation(registered, "docs", { "index.number_of_shards": "2" })),
);

function started(state: ClusterState): ClusterState {
  return withPrimaries(state, { state: "STARTED", nodeId: first.id });
}

function withPrimaries(state: ClusterState, change: Partial<ShardRouting>): ClusterState {
  const row = defined(state.routingTable.get("docs"), "routing of the index");
  const shards = row.shards.map((copies) =>
    copies.map((copy) => (copy.primary ? { ...copy, ...change } : copy)),
  );
  return applyRoutingDelta(state, { indices: [{ ...row, shards }], terms: [], inSync: [] });
}

const generationOf = (state: ClusterState) => repositoriesOf(state).get("r")?.generation ?? 0;

const create = (state: ClusterState, name: string, rest: object = {}): Task =>
  ({
    kind: "create-snapshot",
    repository: "r",
    snapshot: name,
    uuid: `${name}-uuid`,
    repositoryGeneration: generationOf(state),
    indices: [{ name: "docs", id: "id-1", path_type: "FIXED", generations: ["g0", null] }],
    includeGlobalState: false,
    partial: false,
    nowMs: 1,
    ...rest,
  }) as Task;

const report = (name: string, shard: number, result: object): Task =>
  ({
    kind: "update-snapshot-shards",
    updates: [{ uuid: `${name}-uuid`, id: "id-1", shard, result }],
  }) as Task;
const success = (generation: string) => ({ kind: "success", generation });

const remove = (state: ClusterState, ...names: readonly string[]): Task => ({
  kind: "delete-snapshots",
  uuid: `delete-${names.join("-")}`,
  repository: "r",
  repositoryGeneration: generationOf(state),
  snapshots: names.map((name) => ({ name, uuid: `${name}-uuid` })),
  nowMs: 2,
});

const cleanUp: Task = { kind: "start-repository-cleanup", uuid: "c", repository: "r" };

/** States of the shards of a running snapshot, with their generations. */
function shardsOf(state: ClusterState, name: string): readonly string[] {
  const entry = snapshotsOf(state).find(({ snapshot }) => snapshot === name);
  return entry?.shards.map((shard) => `${shard.state} ${shard.generation}`) ?? [];
}

const running = after(ready, create(ready, "s"));
/** Both shards of the snapshot are written. */
const written = after(after(running, report("s", 0, success("g1"))), report("s", 1, success("g2")));

describe("put-repository", () => {
  test("registers a repository that nobody has read", () => {
    expect(repositoriesOf(registered).get("r")).toEqual({
      type: "fs",
      settings: { location: "/r" },
      generation: -2,
      pending_generation: -1,
    });
    expect(applyTask(registered, put, coreRules)).toEqual({ kind: "unchanged" });
  });

  test("INV-SNAP-5: forgets the generation of another place, never the reserved numbers", () => {
    const reserved = after(registered, {
      kind: "set-repository-generation",
      repository: "r",
      expected: -2,
      change: { kind: "reserve", pending: 5 },
    });
    const read = after(reserved, {
      kind: "set-repository-generation",
      repository: "r",
      expected: -2,
      change: { kind: "written", generation: 4 },
    });

    const faster = after(read, {
      ...put,
      settings: { location: "/r", max_snapshot_bytes_per_sec: "1mb" },
    } as Task);
    const moved = after(read, { ...put, settings: { location: "/other" } } as Task);

    const numbers = (state: ClusterState) => {
      const { generation, pending_generation } = defined(repositoriesOf(state).get("r"), "r");
      return [generation, pending_generation];
    };
    expect(numbers(faster)).toEqual([4, 5]);
    expect(numbers(moved)).toEqual([-2, 5]);
  });

  test("refuses to move a repository that is in use", () => {
    const moved = { ...put, settings: { location: "/other" } } as Task;

    expect(reasonOf(applyTask(running, moved, coreRules))).toBe(
      "trying to modify or unregister repository that is currently used",
    );
  });
});

describe("delete-repository", () => {
  const unregister = (name: string): Task => ({ kind: "delete-repository", name });

  test("unregisters the repositories of a name or a pattern", () => {
    const both = after(registered, { ...put, name: "other" } as Task);

    expect([...repositoriesOf(after(both, unregister("o*"))).keys()]).toEqual(["r"]);
    expect(repositoriesOf(after(both, unregister("*"))).size).toBe(0);
  });

  test("refuses what matches nothing, but for `*`", () => {
    const empty = cluster(first);

    expect(reasonOf(applyTask(empty, unregister("x*"), coreRules))).toBe("[x*] missing");
    expect(applyTask(empty, unregister("*"), coreRules)).toEqual({ kind: "unchanged" });
  });

  test("refuses a repository that is in use", () => {
    expect(reasonOf(applyTask(running, unregister("r"), coreRules))).toBe(
      "trying to modify or unregister repository that is currently used",
    );
  });
});

describe("set-repository-generation", () => {
  const set = (expected: number, change: object): Task =>
    ({ kind: "set-repository-generation", repository: "r", expected, change }) as Task;

  test("INV-SNAP-5: reserves each number once", () => {
    const state = after(registered, set(-2, { kind: "reserve", pending: 3 }));

    expect(repositoriesOf(state).get("r")).toMatchObject({ generation: -2, pending_generation: 3 });
    for (const pending of [2, 3]) {
      expect(
        reasonOf(applyTask(state, set(-2, { kind: "reserve", pending }), coreRules)),
      ).toContain("another generation");
    }
  });

  test("puts a written generation in force, and marks a repository as corrupted", () => {
    const state = after(registered, set(-2, { kind: "written", generation: 3 }));

    expect(generationOf(state)).toBe(3);
    expect(generationOf(after(state, set(3, { kind: "corrupted" })))).toBe(-3);
  });

  test("refuses what was decided on another generation, and a repository that is gone", () => {
    expect(
      reasonOf(applyTask(registered, set(1, { kind: "written", generation: 2 }), coreRules)),
    ).toContain("another generation");
    expect(reasonOf(applyTask(cluster(first), set(1, { kind: "corrupted" }), coreRules))).toBe(
      "[r] missing",
    );
  });
});

describe("create-snapshot", () => {
  test("starts each shard on the node of its primary, on the generation in the repository", () => {
    expect(shardsOf(running, "s")).toEqual(["INIT g0", "INIT null"]);
    expect(snapshotsOf(running)[0]?.shards.map((shard) => shard.node)).toEqual([
      first.id,
      first.id,
    ]);
    expect(applyTask(running, create(running, "s"), coreRules)).toEqual({ kind: "unchanged" });
  });

  test("waits for a primary that initializes", () => {
    const before = withPrimaries(ready, { state: "INITIALIZING" });

    expect(shardsOf(after(before, create(before, "s")), "s")).toEqual([
      "WAITING g0",
      "WAITING null",
    ]);
  });

  test("refuses an index without primaries, unless a part will do", () => {
    const bare = after(registered, creation(registered, "docs"));

    expect(reasonOf(applyTask(bare, create(bare, "s"), coreRules))).toBe(
      "[r:s/s-uuid] Indices don't have primary shards [docs]",
    );
    const partial = after(bare, create(bare, "s", { partial: true }));
    expect(shardsOf(partial, "s")).toEqual(["MISSING g0"]);
    expect(snapshotsOf(partial)[0]?.state).toBe("SUCCESS");
  });

  test.each<[string, ClusterState, object, string]>([
    [
      "a name that runs",
      running,
      { snapshot: "s", uuid: "other" },
      "[r:s] Invalid snapshot name [s], snapshot with the same name is already in-progress",
    ],
    [
      "a snapshot during a clean-up",
      after(ready, cleanUp),
      {},
      "[r:t] cannot snapshot while a repository cleanup is in-progress in [r]",
    ],
    ["a repository that is not there", ready, { repository: "gone" }, "[gone] missing"],
    [
      "more operations than are allowed at a time",
      after(running, {
        kind: "update-cluster-settings",
        persistent: { "snapshot.max_concurrent_operations": "1" },
        transient: {},
      }),
      {},
      "[r:t] Cannot start another operation, already running [1] operations and the current limit for concurrent snapshot operations is set to [1]",
    ],
  ])("refuses %s", (_, state, rest, reason) => {
    expect(reasonOf(applyTask(state, create(state, "t", rest), coreRules))).toBe(reason);
  });
});

describe("update-snapshot-shards", () => {
  test("records the generation that each shard has written; the last one completes the snapshot", () => {
    const half = after(running, report("s", 0, success("g1")));

    expect(shardsOf(half, "s")).toEqual(["SUCCESS g1", "INIT null"]);
    expect(snapshotsOf(half)[0]?.state).toBe("STARTED");
    expect(snapshotsOf(written)[0]?.state).toBe("SUCCESS");
  });

  test("records why a shard has failed", () => {
    const state = after(running, report("s", 1, { kind: "failed", reason: "disk" }));

    expect(snapshotsOf(state)[0]?.shards[1]).toMatchObject({ state: "FAILED", reason: "disk" });
  });

  test("is without effect for a shard that has ended, and for a snapshot that is gone", () => {
    const half = after(running, report("s", 0, success("g1")));

    expect(applyTask(half, report("s", 0, success("g9")), coreRules)).toEqual({
      kind: "unchanged",
    });
    expect(applyTask(ready, report("s", 0, success("g9")), coreRules)).toEqual({
      kind: "unchanged",
    });
  });
});

describe("finish-snapshot", () => {
  test("removes the snapshot and puts its generation in force, in one version", () => {
    const generation = { repository: "r", expected: -2, generation: 1 };

    const state = after(written, { kind: "finish-snapshot", uuid: "s-uuid", written: generation });

    expect(snapshotsOf(state)).toEqual([]);
    expect(generationOf(state)).toBe(1);
  });

  test("without a generation, as of one that failed, leaves the one in force", () => {
    const state = after(written, { kind: "finish-snapshot", uuid: "s-uuid" });

    expect(snapshotsOf(state)).toEqual([]);
    expect(generationOf(state)).toBe(-2);
  });

  test("refuses a generation that was written on another one", () => {
    const old = { repository: "r", expected: -1, generation: 0 };
    const finish: Task = { kind: "finish-snapshot", uuid: "s-uuid", written: old };

    expect(reasonOf(applyTask(written, finish, coreRules))).toContain("another generation");
  });
});

describe("delete-snapshots", () => {
  test("starts at once where nothing writes", () => {
    const state = after(ready, remove(ready, "old"));

    expect(deletionsOf(state)).toEqual([
      {
        uuid: "delete-old",
        repository: "r",
        snapshots: [{ name: "old", uuid: "old-uuid" }],
        start_time_millis: 2,
        state: "STARTED",
      },
    ]);
  });

  test("aborts a running snapshot, and waits until its nodes have stopped writing", () => {
    const state = after(running, remove(running, "s"));

    expect(shardsOf(state, "s")).toEqual(["ABORTED g0", "ABORTED null"]);
    expect(deletionsOf(state)[0]?.state).toBe("WAITING");
  });

  test("joins a deletion that waits", () => {
    const waiting = after(running, remove(running, "s"));

    const [deletion, ...others] = deletionsOf(after(waiting, remove(waiting, "old")));

    expect(deletion?.snapshots.map(({ name }) => name)).toEqual(["s", "old"]);
    expect(others).toEqual([]);
  });

  test("is refused during a clean-up, a restore of the snapshot, and on another generation", () => {
    const cleaning = after(ready, cleanUp);
    expect(reasonOf(applyTask(cleaning, remove(cleaning, "a", "b"), coreRules))).toBe(
      "[r:a] cannot delete snapshots [a, b] while a repository cleanup is in-progress in [r]",
    );
    expect(reasonOf(applyTask(restoring, remove(restoring, "old"), coreRules))).toBe(
      "[r:old] cannot delete snapshot during a restore in progress in [RestoreInProgress[old]]",
    );
    const stale = { ...remove(ready, "old"), repositoryGeneration: 9 } as Task;
    expect(reasonOf(applyTask(ready, stale, coreRules))).toContain("another generation");
  });
});

describe("finish-deletion", () => {
  const finish = (shardGenerations?: Record<string, readonly (string | null)[]>): Task => ({
    kind: "finish-deletion",
    uuid: "delete-old",
    ...(shardGenerations === undefined ? {} : { shardGenerations }),
  });
  const deleting = after(ready, remove(ready, "old"));
  const queued = after(deleting, create(deleting, "s"));

  test("lets snapshots that waited start, on the generations that it has written", () => {
    expect(shardsOf(queued, "s")).toEqual(["QUEUED g0", "QUEUED null"]);

    const state = after(queued, finish({ "id-1": ["g7", "g8"] }));

    expect(deletionsOf(state)).toEqual([]);
    expect(shardsOf(state, "s")).toEqual(["INIT g7", "INIT g8"]);
  });

  test("leaves the generations as they were when it failed", () => {
    expect(shardsOf(after(queued, finish()), "s")).toEqual(["INIT g0", "INIT null"]);
  });

  test("is without effect when it has ended before", () => {
    expect(applyTask(ready, finish(), coreRules)).toEqual({ kind: "unchanged" });
  });
});

/** Metadata of `docs` as the snapshot `old` has it, under a name. */
function stored(name: string) {
  const made = withNewIndex(registered, name, { "index.number_of_shards": "2" });
  return plainIndexMetadata(defined(made.metadata.indices.get(name), name));
}

const restore = (name: string, rest: object = {}): Task => ({
  kind: "restore-snapshot",
  uuid: "restore",
  repository: "r",
  snapshot: "old",
  snapshotUuid: "old-uuid",
  indices: [
    {
      source: "docs",
      id: "id-1",
      pathType: "FIXED",
      metadata: stored(name),
      missingShards: [],
      ...rest,
    },
  ],
  nowMs: 3,
});
const restoring = after(registered, restore("docs"));

describe("restore-snapshot", () => {
  test("creates the index, whose primaries recover from the snapshot", () => {
    const copies = restoring.routingTable.get("docs")?.shards.flat() ?? [];

    expect(
      copies.filter(({ primary }) => primary).map(({ recoverySource }) => recoverySource),
    ).toEqual(
      [0, 1].map(() => ({
        type: "SNAPSHOT",
        repository: "r",
        snapshot: "old",
        snapshotUuid: "old-uuid",
        index: "docs",
        indexId: "id-1",
        pathType: "FIXED",
      })),
    );
    expect(copies[0]?.unassignedInfo).toMatchObject({
      reason: "NEW_INDEX_RESTORED",
      details: "restore_source[r/old]",
    });
    expect(restoresOf(restoring)[0]).toMatchObject({ state: "STARTED", indices: ["docs"] });
    expect(applyTask(restoring, restore("docs"), coreRules)).toEqual({ kind: "unchanged" });
  });

  test("replaces a closed index: it keeps its uuid, and its terms and versions grow", () => {
    const closed = (["block", "close"] as const).reduce(
      (state, step) => after(state, { kind: "close-index", step, indices: ["docs"], nowMs: 1 }),
      ready,
    );
    const before = defined(closed.metadata.indices.get("docs"), "docs");
    const other = { ...stored("docs"), uuid: "in-the-snapshot" as IndexUuid };

    const state = after(closed, restore("docs", { metadata: other }));

    const now = defined(state.metadata.indices.get("docs"), "docs");
    expect(now.uuid).toBe("docs-uuid");
    expect(now.settings["index.uuid"]).toBe("docs-uuid");
    expect(now.state).toBe("open");
    expect(now.version).toBe(before.version + 1);
    expect(state.routingTable.get("docs")?.shards[0]?.[0]?.unassignedInfo?.reason).toBe(
      "EXISTING_INDEX_RESTORED",
    );
  });

  test("restores a shard that the snapshot lacks empty, and tells so", () => {
    const state = after(registered, restore("docs", { missingShards: [1] }));

    expect(state.routingTable.get("docs")?.shards[1]?.[0]?.recoverySource).toEqual({
      type: "EMPTY_STORE",
    });
    expect(restoresOf(state)[0]?.shards).toEqual([
      { index: "docs", shard: 0, state: "INIT" },
      { index: "docs", shard: 1, state: "FAILURE", reason: "missing in the snapshot" },
    ]);
  });

  test("refuses an open index of the name, and another number of shards", () => {
    expect(reasonOf(applyTask(ready, restore("docs"), coreRules))).toBe(
      "[r:old/old-uuid] cannot restore index [docs] because an open index with same name already exists in the cluster. Either close or delete the existing index or restore the index under a different name by providing a rename pattern and replacement name",
    );
    const single = withNewIndex(registered, "docs");
    const closed = (["block", "close"] as const).reduce(
      (state, step) => after(state, { kind: "close-index", step, indices: ["docs"], nowMs: 1 }),
      single,
    );
    expect(reasonOf(applyTask(closed, restore("docs"), coreRules))).toBe(
      "[r:old/old-uuid] cannot restore index [docs] with [1] shards from a snapshot of index [docs] with [2] shards",
    );
  });

  test("refuses a snapshot that is being deleted", () => {
    const deleting = after(registered, remove(registered, "old"));

    expect(reasonOf(applyTask(deleting, restore("docs"), coreRules))).toBe(
      "[r:old] cannot restore a snapshot while a snapshot deletion is in-progress [old]",
    );
  });
});

describe("finish-restore", () => {
  const finish: Task = { kind: "finish-restore", uuid: "restore" };

  test("waits for all shards", () => {
    expect(applyTask(restoring, finish, coreRules)).toEqual({ kind: "unchanged" });

    const over = after(started(restoring), { kind: "follow-repositories" });
    expect(restoresOf(over)[0]?.state).toBe("SUCCESS");

    expect(restoresOf(after(over, finish))).toEqual([]);
  });
});

describe("follow-repositories", () => {
  const follow: Task = { kind: "follow-repositories" };

  test("starts shards whose primary has started meanwhile", () => {
    const before = withPrimaries(ready, { state: "INITIALIZING" });
    const waiting = after(before, create(before, "s"));

    expect(shardsOf(after(started(waiting), follow), "s")).toEqual(["INIT g0", "INIT null"]);
  });

  test("fails the shards of a node that left", () => {
    const left = after(running, { kind: "node-left", nodeId: first.id, reason: "disconnected" });

    const state = after(left, follow);

    expect(snapshotsOf(state)[0]?.shards.map(({ state: at, reason }) => [at, reason])).toEqual([
      ["FAILED", "node shutdown"],
      ["FAILED", "node shutdown"],
    ]);
  });

  test("fails the restore of an index that was deleted", () => {
    const deleted = after(restoring, {
      kind: "delete-index",
      index: "docs",
      uuid: "docs-uuid" as IndexUuid,
      nowMs: 5,
      maxTombstones: 10,
    });

    expect(restoresOf(after(deleted, follow))[0]).toMatchObject({
      state: "FAILURE",
      shards: [{ reason: "index was deleted" }, { reason: "index was deleted" }],
    });
  });

  test("is without effect while nothing has changed", () => {
    expect(applyTask(running, follow, coreRules)).toEqual({ kind: "unchanged" });
  });
});

describe("start-repository-cleanup", () => {
  test("begins a clean-up, once", () => {
    const state = after(registered, cleanUp);

    expect(cleanupsOf(state)).toEqual([{ uuid: "c", repository: "r" }]);
    expect(applyTask(state, cleanUp, coreRules)).toEqual({ kind: "unchanged" });
  });

  test.each<[string, ClusterState, string]>([
    [
      "another clean-up",
      after(registered, cleanUp),
      "Cannot cleanup [r] - a repository cleanup is already in-progress in [r]",
    ],
    [
      "a deletion",
      after(registered, remove(registered, "old")),
      "Cannot cleanup [r] - a snapshot is currently being deleted in [r]",
    ],
    [
      "a snapshot",
      running,
      "Cannot cleanup [r] - a snapshot is currently running in [SnapshotsInProgress[s]]",
    ],
    ["no such repository", cluster(first), "[r] missing"],
  ])("is refused with %s", (_, state, reason) => {
    expect(reasonOf(applyTask(state, { ...cleanUp, uuid: "d" } as Task, coreRules))).toBe(reason);
  });
});

describe("finish-repository-cleanup", () => {
  const finish = (uuid: string): Task => ({ kind: "finish-repository-cleanup", uuid });

  test("ends the clean-up of its uuid, and no other", () => {
    const state = after(registered, cleanUp);

    expect(cleanupsOf(after(state, finish("c")))).toEqual([]);
    expect(applyTask(state, finish("other"), coreRules)).toEqual({ kind: "unchanged" });
  });
});
