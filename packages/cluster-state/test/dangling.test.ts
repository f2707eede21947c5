/** Importing and burying an index that a node found on its disk. */
import type { AllocationId, IndexUuid } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  applyTask,
  coreRules,
  decodeIndexMetadata,
  encodeIndexMetadata,
  hasTombstone,
  type ClusterState,
  type ImportDanglingIndex,
  type IndexMetadata,
  type Task,
} from "../src/index.ts";
import { after, cluster, creation, node, reasonOf } from "./fixture.ts";

const before = cluster(node("n1"), node("n2"));

function found(state: ClusterState, name: string): IndexMetadata {
  const created = after(state, {
    ...creation(state, name, { "index.number_of_shards": "2" }),
    aliases: { other: {} },
  } as Task);
  const index = created.metadata.indices.get(name);
  if (index === undefined) throw new Error("no index");
  return { ...index, inSyncAllocationIds: [["copy" as AllocationId], []], primaryTerms: [3, 0] };
}

function importing(index: IndexMetadata): ImportDanglingIndex {
  const { aliases: _, ...metadata } = index;
  return { kind: "import-dangling-index", metadata, historyUuid: "new-history", nowMs: 7 };
}

const lost = found(before, "lost");

describe("import-dangling-index", () => {
  test("brings the index back under a new history, its copies to be found, without aliases", () => {
    const state = after(before, importing(lost));
    const index = state.metadata.indices.get("lost");
    const [first, second] = state.routingTable.get("lost")?.shards ?? [];

    expect(index).toMatchObject({ uuid: lost.uuid, primaryTerms: [3, 0], aliases: new Map() });
    expect(index?.settings["index.history.uuid"]).toBe("new-history");
    expect(first?.[0]).toMatchObject({
      state: "UNASSIGNED",
      recoverySource: { type: "EXISTING_STORE", bootstrapNewHistoryUuid: true },
      unassignedInfo: { reason: "DANGLING_INDEX_IMPORTED", atMs: 7 },
    });
    expect(second?.[0]).toMatchObject({ recoverySource: { type: "EMPTY_STORE" } });
  });

  test("of a closed index gives it no copies, unless it was verified before it closed", () => {
    const closed: IndexMetadata = { ...lost, state: "close" };
    const settings = { ...lost.settings, "index.verified_before_close": "true" };

    expect(after(before, importing(closed)).routingTable.has("lost")).toBe(false);
    expect(after(before, importing({ ...closed, settings })).routingTable.has("lost")).toBe(true);
  });

  test("INV-DANGLING-3: changes nothing where name or id is taken, where it was deleted, or where it is of a newer version", () => {
    const task = importing(lost);
    const named = after(before, creation(before, "lost"));
    const aliased = after(before, { ...creation(before, "x"), aliases: { lost: {} } } as Task);
    const renamed = after(before, importing({ ...lost, name: "renamed" }));
    const buried = after(before, {
      kind: "delete-dangling-index",
      index: "lost",
      uuid: lost.uuid,
      nowMs: 1,
    });
    const settings = { ...lost.settings, "index.version.created": "137307827" };

    for (const state of [named, aliased, renamed, buried]) {
      expect(applyTask(state, task, coreRules).kind).toBe("unchanged");
    }
    expect(applyTask(before, importing({ ...lost, settings }), coreRules).kind).toBe("unchanged");
  });
});

describe("delete-dangling-index", () => {
  const bury = (uuid: IndexUuid, maxTombstones?: number): Task => ({
    kind: "delete-dangling-index",
    index: "lost",
    uuid,
    nowMs: 1,
    ...(maxTombstones === undefined ? {} : { maxTombstones }),
  });

  test("leaves a tombstone, once, and none where none are kept", () => {
    const buried = after(before, bury(lost.uuid));

    expect(hasTombstone(buried, lost.uuid)).toBe(true);
    expect(applyTask(buried, bury(lost.uuid), coreRules).kind).toBe("unchanged");
    expect(hasTombstone(after(before, bury(lost.uuid, 0)), lost.uuid)).toBe(false);
  });

  test("is refused for an index that lives", () => {
    expect(reasonOf(applyTask(after(before, importing(lost)), bury(lost.uuid), coreRules))).toBe(
      `Refusing to delete dangling index [lost/${lost.uuid}] as an index with UUID [${lost.uuid}] already exists in the cluster state`,
    );
  });
});

test("INV-STATE-1: metadata of one index is decoded as it was", () => {
  const mapping = { properties: { a: { type: "long", null_value: 9_007_199_254_740_993n } } };
  const index: IndexMetadata = { ...lost, mapping, aliases: new Map([["a", { isHidden: true }]]) };

  expect(decodeIndexMetadata(encodeIndexMetadata(index))).toEqual(index);
});
