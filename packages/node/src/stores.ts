/** What the node's own thread does with shard folders: tells the cluster manager what is there, and frees what nobody needs. */
import type { ClusterState } from "@orrery/cluster-state";
import type { Host, Transport } from "@orrery/ports";
import { actions, StoredShardRequest, StoredShardResponse } from "@orrery/protocol";
import { cleanStores, readShardStores } from "@orrery/shard-worker";
import { isJsonObject, type IndexUuid, type Json, type NodeId } from "@orrery/stdx";

/** Answers `internal:gateway/local/started_shards` from the disk, also when no copy is open. */
export function answerStoredShards(host: Host, transport: Transport): void {
  transport.handle(actions.storedShard, async (payload) => {
    const { indexUuid, shard } = StoredShardRequest.decode(payload);
    const [store] = readShardStores(host.disk, indexUuid, shard);
    if (store === undefined) return StoredShardResponse.encode({ exists: false }).finish();
    const { allocationId, primary, problem, files, localCheckpoint, sizeBytes } = store;
    return StoredShardResponse.encode({
      exists: true,
      allocationId,
      wasPrimary: primary,
      storeException: problem === undefined ? "" : `${problem.type}: ${problem.reason}`,
      files: files.map((file) => ({
        name: file.name,
        lengthBytes: file.sizeBytes,
        checksum: String(file.checksum),
      })),
      ...(problem === undefined ? { nextSeqNo: localCheckpoint + 1 } : {}),
      sizeBytes,
    }).finish();
  });
}

/** Removes folders of deleted indices, and of shards that are whole elsewhere. Call once the shard workers know the state. */
export function freeStores(host: Host, nodeId: NodeId, state: ClusterState): void {
  if (state.managerNodeId === undefined || state.blocks.global.length > 0) return;
  cleanStores({ disk: host.disk, nodeId, state, deleted: deletedIndices(state) });
}

function deletedIndices(state: ClusterState): ReadonlySet<IndexUuid> {
  const section = state.metadata.customs.get("index-graveyard");
  const tombstones = isJsonObject(section) ? section["tombstones"] : undefined;
  const all: readonly Json[] = Array.isArray(tombstones) ? tombstones : [];
  const uuids = all.flatMap((tombstone): IndexUuid[] => {
    const index = isJsonObject(tombstone) ? tombstone["index"] : undefined;
    const uuid = isJsonObject(index) ? index["index_uuid"] : undefined;
    return typeof uuid === "string" ? [uuid as IndexUuid] : [];
  });
  return new Set(uuids);
}
