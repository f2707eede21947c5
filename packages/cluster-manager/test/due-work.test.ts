/** What an applied state asks for of snapshots, deletions and restores. */
import {
  initialState,
  type ClusterState,
  type ShardSnapshotEntry,
  type SnapshotEntry,
} from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { abandonedCleanups, dueWork, keyOf, type SnapshotWork } from "../src/snapshots/due-work.ts";

const shard = (rest: Partial<ShardSnapshotEntry> = {}): ShardSnapshotEntry => ({
  index: { index_name: "books", index_uuid: "u" },
  id: "i",
  shard: 0,
  state: "INIT",
  generation: "",
  node: "n" as NodeId,
  ...rest,
});

const entry = (uuid: string, rest: Partial<SnapshotEntry> = {}): SnapshotEntry => ({
  repository: "backups",
  snapshot: uuid,
  uuid,
  include_global_state: false,
  partial: false,
  state: "STARTED",
  indices: [],
  data_streams: [],
  start_time_millis: 0,
  repository_state_id: 0,
  shards: [shard()],
  ...rest,
});

const stateWith = (sections: Readonly<Record<string, readonly unknown[]>>): ClusterState => {
  const empty = initialState("test");
  const lists = Object.entries(sections).map(([name, list]) => [name, { [name]: list }] as const);
  const customs = new Map(lists) as ClusterState["metadata"]["customs"];
  return { ...empty, metadata: { ...empty.metadata, customs } };
};

/** No node of these states has a copy: that the snapshots are to follow the routing table is asked for each time, and is no matter here. */
const workOf = (state: ClusterState): readonly SnapshotWork[] =>
  dueWork(state).filter(({ kind }) => kind !== "follow-repositories");
const keys = (state: ClusterState): string[] => workOf(state).map(keyOf);

describe("a snapshot", () => {
  test("asks for each shard that has begun, and gives up those that are aborted", () => {
    const shards = [
      shard(),
      shard({ shard: 1, state: "ABORTED" }),
      shard({ shard: 2, state: "SUCCESS" }),
    ];

    expect(keys(stateWith({ snapshots: [entry("s", { shards })] }))).toEqual([
      "shard/s/i/0/n",
      "abort/s/i/1/n",
    ]);
  });

  test("that is a clone copies its shards from the repository", () => {
    const clone = entry("s", { clone_source: { name: "t", uuid: "t" } });

    expect(workOf(stateWith({ snapshots: [clone] })).map(({ kind }) => kind)).toEqual([
      "clone-shard",
    ]);
  });

  test("is finalized when no earlier one of its repository has a shard in common with it", () => {
    const done = { state: "SUCCESS", shards: [shard({ state: "SUCCESS" })] } as const;
    const first = entry("s", { shards: [shard({ state: "SUCCESS" })] });

    expect(keys(stateWith({ snapshots: [first, entry("t", done)] }))).toEqual([]);
    expect(keys(stateWith({ snapshots: [entry("s", done), entry("t", done)] }))).toEqual([
      "repository/backups",
    ]);
    const elsewhere = entry("t", { ...done, repository: "other" });
    expect(keys(stateWith({ snapshots: [first, elsewhere] }))).toEqual(["repository/other"]);
  });
});

test("a deletion is carried out once it is started, under the key of what writes to its repository", () => {
  const deletion = { uuid: "d", repository: "backups", snapshots: [], start_time_millis: 0 };
  const waiting = { ...deletion, uuid: "w", state: "WAITING" };
  const state = stateWith({ snapshot_deletions: [waiting, { ...deletion, state: "STARTED" }] });

  expect(keys(state)).toEqual(["repository/backups"]);
});

test("a clean-up of an earlier cluster manager is ended, and not by each look", () => {
  const state = stateWith({ repository_cleanup: [{ uuid: "c", repository: "backups" }] });

  expect(abandonedCleanups(state).map(keyOf)).toEqual(["cleanup/c"]);
  expect(keys(state)).toEqual([]);
});

test("snapshots that no longer agree with the routing table are to follow it, and nothing is asked for without any", () => {
  const gone = stateWith({ snapshots: [entry("s")] });

  expect(dueWork(gone)[0]).toEqual({ kind: "follow-repositories" });
  expect(dueWork(stateWith({}))).toEqual([]);
});
