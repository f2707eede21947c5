/** Frees the disk of what the cluster needs no more: deleted indices, and shards that are whole elsewhere. */
import { isActive, type ClusterState } from "@orrery/cluster-state";
import type { Disk } from "@orrery/ports";
import type { IndexUuid, NodeId } from "@orrery/stdx";
import { shardFolder } from "./layout.ts";

export interface CleanStores {
  readonly disk: Disk;
  readonly nodeId: NodeId;
  readonly state: ClusterState;
  /** Indices that were deleted, as the cluster state remembers them. */
  readonly deleted: ReadonlySet<IndexUuid>;
}

/** For the node's main thread, when its shard workers have applied the state. Returns the folders it removed. */
export function cleanStores({ disk, nodeId, state, deleted }: CleanStores): readonly string[] {
  const removed: string[] = [];
  const remove = (folder: string): void => {
    disk.remove(folder);
    removed.push(folder);
  };
  const names = new Map([...state.metadata.indices].map(([name, { uuid }]) => [uuid, name]));
  for (const uuid of disk.list("indices")) {
    if (deleted.has(uuid as IndexUuid)) {
      remove(`indices/${uuid}`);
      continue;
    }
    const name = names.get(uuid as IndexUuid);
    if (name === undefined) continue;
    for (const shard of disk.list(`indices/${uuid}`)) {
      const rows = state.routingTable.get(name)?.shards[Number(shard)] ?? [];
      const isHere = rows.some((row) => row.nodeId === nodeId || row.relocatingNodeId === nodeId);
      if (rows.length > 0 && !isHere && rows.every(isActive))
        remove(shardFolder(uuid, Number(shard)));
    }
  }
  return removed;
}
