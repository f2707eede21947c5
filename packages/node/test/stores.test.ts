/** What a node keeps on its disk of indices, and what it frees. */
import {
  coreRules,
  applyTask,
  initialState,
  type ClusterState,
  type Task,
} from "@orrery/cluster-state";
import { DiskError, type Disk, type Host } from "@orrery/ports";
import { readIndexMetadata } from "@orrery/shard-worker";
import { createMemoryDisk } from "@orrery/storage";
import type { IndexUuid, NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createStores, type Stores } from "../src/stores.ts";
import { stateWith } from "./state.ts";

const here = "here" as NodeId;
const elsewhere = "elsewhere" as NodeId;

interface Fixture {
  readonly disk: Disk;
  readonly stores: Stores;
}

function fixture(disk: Disk = createMemoryDisk(), keepsMetadata = true): Fixture {
  const host = { disk, log: () => undefined } as unknown as Host;
  return { disk, stores: createStores({ host, nodeId: here, keepsMetadata }) };
}

function elected(state: ClusterState): ClusterState {
  return { ...state, managerNodeId: elsewhere, blocks: { ...state.blocks, global: [] } };
}

function after(state: ClusterState, task: Task): ClusterState {
  const outcome = applyTask(state, task, coreRules);
  if (outcome.kind !== "updated") throw new Error(JSON.stringify(outcome));
  return outcome.state;
}

const bury = (uuid: string, maxTombstones: number): Task => ({
  kind: "delete-dangling-index",
  index: uuid,
  uuid: uuid as IndexUuid,
  nowMs: 1,
  maxTombstones,
});

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

const books = elected(stateWith([here]));
const { indices: _, ...rest } = books.metadata;
const empty: ClusterState = {
  ...books,
  metadata: { ...rest, indices: new Map() },
  routingTable: new Map(),
};

describe("metadata of an index", () => {
  test("is kept where a copy is, and follows the state", async () => {
    const { disk, stores } = fixture();
    const [index] = books.metadata.indices.values();
    if (index === undefined) throw new Error("no index");
    stores.applied(books, empty);
    await settled();
    expect(readIndexMetadata(disk, "books-uuid")).toEqual(index);

    const changed = { ...index, version: 9 };
    const next = {
      ...books,
      metadata: { ...books.metadata, indices: new Map([["books", changed]]) },
    };
    stores.applied(next, books);
    await settled();
    expect(readIndexMetadata(disk, "books-uuid")?.version).toBe(9);
  });

  test("is not written where no copy is, nor by a node whose setting forbids it", async () => {
    const away = elected(stateWith([elsewhere]));
    const without = fixture();
    const silent = fixture(createMemoryDisk(), false);
    without.stores.applied(away, empty);
    silent.stores.applied(books, empty);
    await settled();

    expect(without.disk.list("indices")).toEqual([]);
    expect(silent.disk.list("indices")).toEqual([]);
  });

  test("goes with the last shard that is whole elsewhere", async () => {
    const { disk, stores } = fixture();
    stores.applied(books, empty);
    await settled();
    const away = elected({ ...books, routingTable: stateWith([elsewhere]).routingTable });
    stores.applied(away, books);
    stores.free(away);

    expect(disk.list("indices")).toEqual([]);
  });
});

describe("a folder", () => {
  test("of an index in no state stays, until a tombstone says that it was deleted", () => {
    const { disk, stores } = fixture();
    disk.write("indices/lost/0/file", new Uint8Array(1));
    stores.applied(books, empty);
    stores.free(books);
    expect(disk.list("indices")).toContain("lost");

    const buried = after(books, bury("lost", 1));
    stores.applied(buried, books);
    stores.free(buried);
    expect(disk.list("indices")).not.toContain("lost");
  });

  test("INV-DANGLING-2: goes although its tombstone was replaced before anything could be freed", () => {
    const { disk, stores } = fixture();
    disk.write("indices/lost/0/file", new Uint8Array(1));
    const first = after(books, bury("lost", 1));
    const second = after(first, bury("other", 1));
    stores.applied(first, books);
    stores.applied(second, first);
    stores.free(second);

    expect(stores.isDeleted("lost" as IndexUuid)).toBe(true);
    expect(disk.list("indices")).not.toContain("lost");
  });

  test("INV-DANGLING-2: of an index that was deleted under the node's eyes goes without a tombstone", async () => {
    const { disk, stores } = fixture();
    stores.applied(books, empty);
    await settled();
    stores.applied(empty, books);
    stores.free(empty);

    expect(disk.list("indices")).toEqual([]);
  });

  test("is freed with a later state when the disk fails at first", () => {
    const disk = createMemoryDisk();
    let isBroken = true;
    const failing: Disk = {
      ...disk,
      list(folder) {
        if (isBroken) throw new DiskError("io", folder, "no");
        return disk.list(folder);
      },
    };
    const { stores } = fixture(failing);
    disk.write("indices/lost/0/file", new Uint8Array(1));
    const buried = after(empty, bury("lost", 1));
    stores.applied(buried, empty);
    stores.free(buried);
    isBroken = false;
    stores.free(buried);

    expect(disk.list("indices")).toEqual([]);
  });

  test("goes while the cluster takes no new indices, but not before its state is recovered", () => {
    const { disk, stores } = fixture();
    disk.write("indices/lost/0/file", new Uint8Array(1));
    const buried = after(empty, bury("lost", 1));
    const unrecovered = { ...buried, blocks: initialState("orrery").blocks };
    stores.applied(unrecovered, empty);
    stores.free(unrecovered);
    expect(disk.list("indices")).toEqual(["lost"]);

    const persistent = { "cluster.blocks.create_index": "true" };
    const full = after(buried, { kind: "update-cluster-settings", persistent, transient: {} });
    expect(full.blocks.global.map(({ id }) => id)).toEqual([10]);
    stores.applied(full, unrecovered);
    stores.free(full);
    expect(disk.list("indices")).toEqual([]);
  });

  test("is left alone while no elected cluster manager is known", () => {
    const { disk, stores } = fixture();
    disk.write("indices/lost/0/file", new Uint8Array(1));
    const buried = { ...after(empty, bury("lost", 1)), managerNodeId: undefined };
    stores.applied(buried, empty);
    stores.free(buried);

    expect(disk.list("indices")).toEqual(["lost"]);
  });
});
