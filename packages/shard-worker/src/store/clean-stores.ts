/** Frees the disk of what the cluster needs no more: deleted indices, and shards that are whole elsewhere. */
import { isActive, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import type { Disk } from "@orrery/ports";
import type { IndexUuid, NodeId } from "@orrery/stdx";
import { indexFolder, indicesFolder, shardFolder } from "./layout.ts";

export interface CleanStores {
  readonly disk: Disk;
  readonly nodeId: NodeId;
  readonly state: ClusterState;
  /** Indices that were deleted, as the cluster state remembers them. */
  readonly deleted: ReadonlySet<IndexUuid>;
}

/** For the node's main thread, when its shard workers have applied the state. Returns the folders it removed. */
export function cleanStores(options: CleanStores): readonly string[] {
  const { disk, state, deleted } = options;
  const names = new Map([...state.metadata.indices].map(([name, { uuid }]) => [uuid, name]));
  return (disk.list(indicesFolder) as IndexUuid[]).flatMap((uuid) => {
    const name = names.get(uuid);
    if (name !== undefined) return cleanIndex(options, uuid, name);
    // What is in no cluster state and was not deleted dangles: it is the operator's to import or to delete.
    if (!deleted.has(uuid)) return [];
    disk.remove(indexFolder(uuid));
    return [indexFolder(uuid)];
  });
}

function cleanIndex(
  { disk, nodeId, state }: CleanStores,
  uuid: IndexUuid,
  name: string,
): readonly string[] {
  const rows = state.routingTable.get(name)?.shards ?? [];
  const isHere = (copies: readonly ShardRouting[]): boolean =>
    copies.some((copy) => copy.nodeId === nodeId || copy.relocatingNodeId === nodeId);
  const isElsewhere = (copies: readonly ShardRouting[]): boolean =>
    copies.length > 0 && !isHere(copies) && copies.every(isActive);
  // One look at the disk for each index and state would be thousands; most indices have all their shards to keep.
  if (rows.some(isHere) && !rows.some(isElsewhere)) return [];
  const shards = disk.list(indexFolder(uuid)).filter((entry) => /^\d+$/.test(entry));
  const useless = shards.filter((shard) => isElsewhere(rows[Number(shard)] ?? []));
  // With its last shard goes what the node knows of the index.
  const isGone = useless.length === shards.length && rows.length > 0 && !rows.some(isHere);
  const folders = isGone
    ? [indexFolder(uuid)]
    : useless.map((shard) => shardFolder(uuid, Number(shard)));
  for (const folder of folders) disk.remove(folder);
  return folders;
}
