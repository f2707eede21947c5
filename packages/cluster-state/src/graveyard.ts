/** Tombstones of deleted indices (`IndexGraveyard`): a node that missed the deletion removes its copies instead of offering them as dangling. */
import { isJsonObject, type IndexUuid, type Json } from "@orrery/stdx";
import { customOf, withCustom } from "./customs.ts";
import { clusterSetting } from "./settings/registry.ts";
import type { ClusterState } from "./types.ts";

const GRAVEYARD = "index-graveyard";

/** A deleted index. */
export interface DeletedIndex {
  readonly index: string;
  readonly uuid: IndexUuid;
  readonly nowMs: number;
  /** The proposer's `cluster.indices.tombstones.size`, which is a node's setting. */
  readonly maxTombstones?: number;
}

/** The state with one more tombstone; the oldest ones are dropped beyond the limit. */
export function withTombstone(state: ClusterState, deleted: DeletedIndex): ClusterState {
  const tombstone: Json = {
    index: { index_name: deleted.index, index_uuid: deleted.uuid },
    delete_date_in_millis: deleted.nowMs,
  };
  const most = deleted.maxTombstones ?? clusterSetting(state, "cluster.indices.tombstones.size");
  const all = [...tombstonesOf(state), tombstone];
  return withCustom(state, GRAVEYARD, { tombstones: all.slice(Math.max(0, all.length - most)) });
}

function tombstonesOf(state: ClusterState): readonly Json[] {
  const section = customOf(state, GRAVEYARD);
  const tombstones = isJsonObject(section) ? section["tombstones"] : undefined;
  return Array.isArray(tombstones) ? tombstones : [];
}

/** Uuids of all deleted indices with a tombstone. */
export function tombstonedIndices(state: ClusterState): ReadonlySet<IndexUuid> {
  const uuids = tombstonesOf(state).flatMap((tombstone): IndexUuid[] => {
    const index = isJsonObject(tombstone) ? tombstone["index"] : undefined;
    const uuid = isJsonObject(index) ? index["index_uuid"] : undefined;
    return typeof uuid === "string" ? [uuid as IndexUuid] : [];
  });
  return new Set(uuids);
}

/** Whether the index has a tombstone. False again once many later deletions have displaced it. */
export function hasTombstone(state: ClusterState, uuid: IndexUuid): boolean {
  return tombstonedIndices(state).has(uuid);
}
