/**
 * Removes stores that the cluster no longer needs: of deleted indices, and of shards that are active elsewhere
 * (`IndicesStore`).
 */
import { isActive, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import type { Disk } from "@orrery/ports";
import type { IndexUuid, NodeId } from "@orrery/stdx";
import { indexFolder, indicesFolder, shardFolder } from "./layout.ts";

/** The disk of a node, and an applied state. */
export interface CleanStores {
  readonly disk: Disk;
  readonly nodeId: NodeId;
  readonly state: ClusterState;
  /** Deleted indices that the cluster state remembers (tombstones). */
  readonly deleted: ReadonlySet<IndexUuid>;
}

/**
 * Removes the folders of deleted indices, and of shards of which every copy is active on other nodes. Returns the removed
 * folders. Runs on the node's main thread after its shard workers have applied the state, so that no copy uses them.
 */
export function cleanStores(options: CleanStores): readonly string[] {
  const { disk, state, deleted } = options;
  const names = new Map([...state.metadata.indices].map(([name, { uuid }]) => [uuid, name]));
  return (disk.list(indicesFolder) as IndexUuid[]).flatMap((uuid) => {
    const name = names.get(uuid);
    if (name !== undefined) return cleanIndex(options, uuid, name);
    // An index that is in no cluster state and was not deleted dangles: an operator imports or deletes it.
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
  // Most indices have all their shards to keep; one look at the disk for each index and state would be thousands.
  if (rows.some(isHere) && !rows.some(isElsewhere)) return [];
  const shards = disk.list(indexFolder(uuid)).filter((entry) => /^\d+$/.test(entry));
  const useless = shards.filter((shard) => isElsewhere(rows[Number(shard)] ?? []));
  // The folder of the index has its metadata, which goes with the last shard.
  const isGone = useless.length === shards.length && rows.length > 0 && !rows.some(isHere);
  const folders = isGone
    ? [indexFolder(uuid)]
    : useless.map((shard) => shardFolder(uuid, Number(shard)));
  for (const folder of folders) disk.remove(folder);
  return folders;
}
