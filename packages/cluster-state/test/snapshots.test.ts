/** Snapshots, deletions and restores as the cluster state has them: who may start, who waits, what ends when. */
import { forSeeds } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import {
  coreRules,
  applyRoutingDelta,
  applyTask,
  deletionsOf,
  followed,
  repositoriesOf,
  repositoryShardKey,
  snapshotsOf,
  type ClusterState,
  type NewSnapshotIndex,
  type Outcome,
  type ShardSnapshotEntry,
  type Task,
} from "../src/index.ts";
import { after, cluster, creation, node, reasonOf } from "./fixture.ts";

const SHARDS = 2;

/** An open index whose primaries are started on the first node, and a repository that nobody has read yet. */
function ready(): ClusterState {
  const first = node("one");
  let state = cluster(first, node("two"));
  state = after(state, creation(state, "docs", { "index.number_of_shards": String(SHARDS) }));
  const row = state.routingTable.get("docs");
  if (row === undefined) throw new Error("no routing of the index");
  const shards = row.shards.map((copies) =>
    copies.map((copy) =>
      copy.primary ? { ...copy, state: "STARTED" as const, nodeId: first.id } : copy,
    ),
  );
  state = applyRoutingDelta(state, { indices: [{ ...row, shards }], terms: [], inSync: [] });
  const settings = { location: "/r" };
  return after(state, { kind: "put-repository", name: "r", type: "fs", settings });
}

const docs: NewSnapshotIndex = { name: "docs", id: "id-1", path_type: "FIXED", generations: [] };

function create(state: ClusterState, name: string, rest: object = {}): Outcome {
  return applyTask(
    state,
    {
      kind: "create-snapshot",
      repository: "r",
      snapshot: name,
      uuid: `${name}-uuid`,
      repositoryGeneration: repositoriesOf(state).get("r")?.generation ?? 0,
      indices: [docs],
      includeGlobalState: false,
      partial: false,
      nowMs: 1,
      ...rest,
    },
    coreRules,
  );
}

function created(state: ClusterState, name: string): ClusterState {
  const outcome = create(state, name);
  if (outcome.kind !== "updated") throw new Error(JSON.stringify(outcome));
  return outcome.state;
}

function statesOf(state: ClusterState, name: string): readonly string[] {
  const entry = snapshotsOf(state).find(({ snapshot }) => snapshot === name);
  return entry?.shards.map((shard) => shard.state) ?? [];
}

function done(state: ClusterState, name: string, shard: number, generation: string): ClusterState {
  const result = { kind: "success", generation } as const;
  const update = { uuid: `${name}-uuid`, id: "id-1", shard, result };
  return after(state, { kind: "update-snapshot-shards", updates: [update] });
}

function deletion(state: ClusterState, name: string): ClusterState {
  return after(state, {
    kind: "delete-snapshots",
    uuid: `delete-${name}`,
    repository: "r",
    repositoryGeneration: repositoriesOf(state).get("r")?.generation ?? 0,
    snapshots: [{ name, uuid: `${name}-uuid` }],
    nowMs: 2,
  });
}

test("whoever wrote a generation is told when it did not come into force, as the snapshot had been ended meanwhile", () => {
  const state = done(done(created(ready(), "s1"), "s1", 0, "g0"), "s1", 1, "g1");
  const generation = repositoriesOf(state).get("r")?.generation ?? 0;
  const written = { repository: "r", expected: generation, generation: 7 };
  const finish: Task = { kind: "finish-snapshot", uuid: "s1-uuid", written };
  const finished = after(state, finish);
  expect(repositoriesOf(finished).get("r")?.generation).toBe(7);
  expect(applyTask(finished, finish, coreRules).kind, "said twice").toBe("unchanged");
  const given = after(state, { kind: "finish-snapshot", uuid: "s1-uuid" });
  expect(reasonOf(applyTask(given, finish, coreRules))).toContain("another generation");
  expect(repositoriesOf(given).get("r")?.generation).toBe(generation);
});

describe("update-snapshot-shards, while another snapshot waits for the shard", () => {
  test("starts the shard of the next snapshot, on the generation that was reported", () => {
    let state = created(created(ready(), "s1"), "s2");
    expect([statesOf(state, "s1"), statesOf(state, "s2")]).toEqual([
      ["INIT", "INIT"],
      ["QUEUED", "QUEUED"],
    ]);

    state = done(state, "s1", 0, "g1");

    expect(statesOf(state, "s2")).toEqual(["INIT", "QUEUED"]);
    const second = snapshotsOf(state).find(({ snapshot }) => snapshot === "s2");
    expect(second?.shards[0]?.generation).toBe("g1");
  });
});

test("two snapshots that begin at the same moment know an index by one id", () => {
  const first = created(ready(), "first");

  const outcome = create(first, "second", { indices: [{ ...docs, id: "id-2" }] });

  if (outcome.kind !== "updated") throw new Error(JSON.stringify(outcome));
  expect(snapshotsOf(outcome.state).map(({ indices }) => indices.map(({ id }) => id))).toEqual([
    ["id-1"],
    ["id-1"],
  ]);
  expect(statesOf(outcome.state, "second")).toEqual(["QUEUED", "QUEUED"]);
});

test("a snapshot is complete when its shards are, and a report that comes again changes nothing", () => {
  const state = done(done(created(ready(), "s1"), "s1", 0, "g1"), "s1", 1, "g2");

  expect(snapshotsOf(state)[0]?.state).toBe("SUCCESS");
  const again: Task = {
    kind: "update-snapshot-shards",
    updates: [
      { uuid: "s1-uuid", id: "id-1", shard: 0, result: { kind: "failed", reason: "late" } },
    ],
  };
  expect(applyTask(state, again, coreRules).kind).toBe("unchanged");
});

test("shards of a node that left have failed", () => {
  const state = created(ready(), "s1");

  const without = after(state, { kind: "node-left", nodeId: node("one").id, reason: "gone" });
  const next = followed(without);

  expect(snapshotsOf(next)[0]?.shards.map(({ reason }) => reason)).toEqual([
    "node shutdown",
    "node shutdown",
  ]);
  expect(snapshotsOf(next)[0]?.state).toBe("SUCCESS");
  expect(followed(next)).toBe(next);
});

test("an index without primaries is refused, or missing where a part will do", () => {
  let state = ready();
  state = after(state, creation(state, "nowhere"));
  const indices = [{ ...docs, name: "nowhere", id: "id-2" }];

  expect(reasonOf(create(state, "s1", { indices }))).toBe(
    "[r:s1/s1-uuid] Indices don't have primary shards [nowhere]",
  );
  const partly = create(state, "s1", { indices, partial: true });
  expect(partly.kind === "updated" && statesOf(partly.state, "s1")).toEqual(["MISSING"]);
});

test("what was decided on another generation is refused, so that it is decided again", () => {
  const outcome = create(ready(), "s1", { repositoryGeneration: 7 });

  expect(outcome.kind === "rejected" && outcome.error.type).toBe("repository_changed");
});

test("a deletion that found nothing is refused when the repository has another generation meanwhile", () => {
  const state = done(done(created(ready(), "s1"), "s1", 0, "g0"), "s1", 1, "g1");
  const expected = repositoriesOf(state).get("r")?.generation ?? 0;
  const written = { repository: "r", expected, generation: 7 };
  const finished = after(state, { kind: "finish-snapshot", uuid: "s1-uuid", written });
  const remove = (repositoryGeneration: number): Outcome =>
    applyTask(
      finished,
      {
        ...{ kind: "delete-snapshots", uuid: "d", repository: "r", snapshots: [], nowMs: 2 },
        repositoryGeneration,
      },
      coreRules,
    );

  const outcome = remove(expected);

  expect(outcome.kind === "rejected" && outcome.error.type).toBe("repository_changed");
  expect(remove(7).kind).toBe("unchanged");
});

test("deleting a running snapshot aborts it; the deletion starts when nothing is written", () => {
  let state = deletion(created(ready(), "s1"), "s1");
  expect([statesOf(state, "s1"), deletionsOf(state)[0]?.state]).toEqual([
    ["ABORTED", "ABORTED"],
    "WAITING",
  ]);

  for (const shard of [0, 1]) {
    const result = { kind: "failed", reason: "aborted" } as const;
    const updates = [{ uuid: "s1-uuid", id: "id-1", shard, result }];
    state = after(state, { kind: "update-snapshot-shards", updates });
  }

  expect([snapshotsOf(state), deletionsOf(state)[0]?.state]).toEqual([[], "STARTED"]);
});

test("a deletion of what is being deleted already changes nothing", () => {
  const snapshots = [{ name: "s1", uuid: "s1-uuid" }];
  const task = { kind: "delete-snapshots", repository: "r", snapshots, nowMs: 2 } as const;
  const repositoryGeneration = repositoriesOf(ready()).get("r")?.generation ?? 0;
  const state = after(ready(), { ...task, uuid: "d", repositoryGeneration });

  const again = applyTask(state, { ...task, uuid: "e", repositoryGeneration }, coreRules);

  expect(again.kind).toBe("unchanged");
});

test("while a deletion runs new snapshots wait, then start from the generations it left", () => {
  let state = deletion(ready(), "old");
  state = created(state, "s1");
  expect([deletionsOf(state)[0]?.state, statesOf(state, "s1")]).toEqual([
    "STARTED",
    ["QUEUED", "QUEUED"],
  ]);

  const shardGenerations = { "id-1": ["g7", null] };
  state = after(state, { kind: "finish-deletion", uuid: "delete-old", shardGenerations });

  expect(snapshotsOf(state)[0]?.shards.map((shard) => [shard.state, shard.generation])).toEqual([
    ["INIT", "g7"],
    ["INIT", null],
  ]);
});

test("an index that is being snapshotted is neither deleted nor closed", () => {
  const state = created(ready(), "s1");
  const uuid = state.metadata.indices.get("docs")?.uuid;
  if (uuid === undefined) throw new Error("no index");

  const deleting = applyTask(
    state,
    { kind: "delete-index", index: "docs", uuid, nowMs: 1 },
    coreRules,
  );
  const indices = ["docs"];
  const closing = applyTask(
    state,
    { kind: "close-index", step: "block", indices, nowMs: 1 },
    coreRules,
  );

  expect(reasonOf(deleting)).toContain("Cannot delete indices that are being snapshotted: [[docs/");
  expect(reasonOf(closing)).toContain("Cannot close indices that are being snapshotted: [[docs/");
});

test("a repository in use keeps its place, and takes another speed", () => {
  const state = created(ready(), "s1");
  const put = (settings: Record<string, string>): Outcome =>
    applyTask(state, { kind: "put-repository", name: "r", type: "fs", settings }, coreRules);

  expect(reasonOf(put({ location: "/other" }))).toContain("currently used");
  expect(put({ location: "/r", max_snapshot_bytes_per_sec: "1mb" }).kind).toBe("updated");
  expect(reasonOf(applyTask(state, { kind: "delete-repository", name: "r" }, coreRules))).toContain(
    "currently used",
  );
});

test("a number is given out once, and only what is in force is written over", () => {
  const reserve = (state: ClusterState, pending: number): Outcome =>
    applyTask(
      state,
      {
        kind: "set-repository-generation",
        repository: "r",
        expected: -2,
        change: { kind: "reserve", pending },
      },
      coreRules,
    );
  const first = reserve(ready(), 0);
  if (first.kind !== "updated") throw new Error("not reserved");

  expect(reserve(first.state, 0).kind).toBe("rejected");
  expect(reserve(first.state, 1).kind).toBe("updated");
});

test("INV-SNAP-4: a shard has one active snapshot in a repository, none while a deletion runs", () => {
  forSeeds(200, (random) => {
    let state = ready();
    for (let step = 0; step < 30; step += 1) {
      state = randomStep(state, random.int(0, 5), step);
      state = followed(state);
      const active = snapshotsOf(state).flatMap(({ shards }) => shards.filter(isActive));
      const keys = active.map(repositoryShardKey);
      expect(new Set(keys).size).toBe(keys.length);
      const isDeleting = deletionsOf(state).some((one) => one.state === "STARTED");
      if (isDeleting) expect(active).toEqual([]);
    }

    function randomStep(before: ClusterState, choice: number, step: number): ClusterState {
      const entries = snapshotsOf(before);
      const entry = entries.length === 0 ? undefined : random.pick(entries);
      if (choice === 0 || entry === undefined) return changed(before, create(before, `s${step}`));
      if (choice === 1) return deletion(before, entry.snapshot);
      const running = deletionsOf(before).find((one) => one.state === "STARTED");
      if (choice === 2 && running !== undefined) {
        return after(before, { kind: "finish-deletion", uuid: running.uuid, shardGenerations: {} });
      }
      if (choice === 3 && entry.state === "SUCCESS") {
        return after(before, { kind: "finish-snapshot", uuid: entry.uuid });
      }
      const shard = entry.shards.find(isActive);
      if (shard === undefined) return before;
      const result = random.pick([
        { kind: "success", generation: `g${step}` } as const,
        { kind: "failed", reason: "no" } as const,
      ]);
      const updates = [{ uuid: entry.uuid, id: shard.id, shard: shard.shard, result }];
      return changed(
        before,
        applyTask(before, { kind: "update-snapshot-shards", updates }, coreRules),
      );
    }
  });
});

function isActive({ state }: ShardSnapshotEntry): boolean {
  return state === "INIT" || state === "WAITING" || state === "ABORTED";
}

function changed(before: ClusterState, outcome: Outcome): ClusterState {
  return outcome.kind === "updated" ? outcome.state : before;
}
