/** Removes an index and remembers it as a tombstone, so that a node which was away does not bring it back. */
import { isJsonObject, type IndexUuid, type Json } from "@orrery/stdx";
import { withIndexBlocks } from "../blocks.ts";
import { customOf, withCustom } from "../customs.ts";
import { clusterSetting } from "../settings/registry.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { indexNotFound, rejected, updated } from "../updates.ts";

export interface DeleteIndex {
  readonly kind: "delete-index";
  readonly index: string;
  readonly uuid: IndexUuid;
  readonly nowMs: number;
  /** The proposer's `cluster.indices.tombstones.size`, which is a node's setting. */
  readonly maxTombstones?: number;
}

const GRAVEYARD = "index-graveyard";

export function deleteIndex(state: ClusterState, task: DeleteIndex): Outcome {
  const metadata = state.metadata.indices.get(task.index);
  if (metadata?.uuid !== task.uuid) return rejected(indexNotFound(task.index));
  const next = withTombstone(withoutIndex(state, task.index), task);
  return updated(next);
}

/** The index gone from metadata, routing table and blocks. */
export function withoutIndex(state: ClusterState, name: string): ClusterState {
  const indices = new Map(state.metadata.indices);
  const routingTable = new Map(state.routingTable);
  indices.delete(name);
  routingTable.delete(name);
  return {
    ...state,
    metadata: { ...state.metadata, indices },
    routingTable,
    blocks: withIndexBlocks(state.blocks, name, []),
  };
}

type Buried = Pick<DeleteIndex, "index" | "uuid" | "nowMs" | "maxTombstones">;

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

/** Whether an index that a node found on its disk was deleted meanwhile. */
export function hasTombstone(state: ClusterState, uuid: string): boolean {
  return tombstonesOf(state).some((tombstone) => {
    const index = isJsonObject(tombstone) ? tombstone["index"] : undefined;
    return isJsonObject(index) && index["index_uuid"] === uuid;
  });
}
