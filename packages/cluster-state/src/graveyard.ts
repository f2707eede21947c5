/** Tombstones of deleted indices: a node that was away learns from them not to bring its copies back. Source: `IndexGraveyard`. */
import { isJsonObject, type IndexUuid, type Json } from "@orrery/stdx";
import { customOf, withCustom } from "./customs.ts";
import { clusterSetting } from "./settings/registry.ts";
import type { ClusterState } from "./types.ts";

const GRAVEYARD = "index-graveyard";

export interface Buried {
  readonly index: string;
  readonly uuid: IndexUuid;
  readonly nowMs: number;
  /** The proposer's `cluster.indices.tombstones.size`, which is a node's setting. */
  readonly maxTombstones?: number;
}

/** Oldest first; the oldest go when there are too many. */
export function withTombstone(state: ClusterState, buried: Buried): ClusterState {
  const tombstone: Json = {
    index: { index_name: buried.index, index_uuid: buried.uuid },
    delete_date_in_millis: buried.nowMs,
  };
  const most = buried.maxTombstones ?? clusterSetting(state, "cluster.indices.tombstones.size");
  const all = [...tombstonesOf(state), tombstone];
  return withCustom(state, GRAVEYARD, { tombstones: all.slice(Math.max(0, all.length - most)) });
}

function tombstonesOf(state: ClusterState): readonly Json[] {
  const section = customOf(state, GRAVEYARD);
  const tombstones = isJsonObject(section) ? section["tombstones"] : undefined;
  return Array.isArray(tombstones) ? tombstones : [];
}

/** Every deleted index that is still remembered. */
export function tombstonedIndices(state: ClusterState): ReadonlySet<IndexUuid> {
  const uuids = tombstonesOf(state).flatMap((tombstone): IndexUuid[] => {
    const index = isJsonObject(tombstone) ? tombstone["index"] : undefined;
    const uuid = isJsonObject(index) ? index["index_uuid"] : undefined;
    return typeof uuid === "string" ? [uuid as IndexUuid] : [];
  });
  return new Set(uuids);
}

/** Whether an index that a node found on its disk was deleted meanwhile. */
export function hasTombstone(state: ClusterState, uuid: IndexUuid): boolean {
  return tombstonedIndices(state).has(uuid);
}
