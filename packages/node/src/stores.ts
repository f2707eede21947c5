/**
 * Stores of indices on the node's disk, from its main thread: reports them to the cluster manager, persists each
 * index's metadata beside its shards, and removes stores that the cluster no longer needs.
 *
 * INV-DANGLING-2: an index that was deleted while this node was in the cluster, or that a tombstone names, is removed
 * and stays removed.
 */
import {
  indicesOn,
  tombstonedIndices,
  type ClusterState,
  type IndexMetadata,
} from "@orrery/cluster-state";
import { DiskError, type Host, type Transport } from "@orrery/ports";
import { actions, StoredShardRequest, StoredShardResponse } from "@orrery/protocol";
import {
  cleanStores,
  indexFolder,
  readShardStores,
  writeIndexMetadata,
} from "@orrery/shard-worker";
import type { IndexUuid, NodeId } from "@orrery/stdx";

/**
 * Registers the handler of `internal:gateway/local/started_shards`, which reads the disk, whether a copy is open or
 * not.
 */
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

export interface Stores {
  /** Persists metadata and records deletions of an applied state. */
  applied(state: ClusterState, previous: ClusterState): void;
  /** Removes stores; to be called when the shard workers have applied the state. */
  free(state: ClusterState): void;
  /** Whether the index was deleted while this node was in the cluster, or a tombstone names it. Its folder may still exist. */
  isDeleted(uuid: IndexUuid): boolean;
}

export interface StoresOptions {
  readonly host: Host;
  readonly nodeId: NodeId;
  /** `gateway.write_dangling_indices_info` */
  readonly keepsMetadata: boolean;
}

/** The stores of a node that has seen no deletion of an index yet. */
export function createStores({ host, nodeId, keepsMetadata }: StoresOptions): Stores {
  /** Deletions that this node has seen in a state, or in tombstones. */
  const deleted = new Set<IndexUuid>();
  const kept = new Map<IndexUuid, StoredMetadata>();
  /**
   * Metadata to write when a slot is free. Later changes of the same index replace it, so that one write covers them
   * all.
   */
  const waiting = new Map<IndexUuid, StoredMetadata>();
  let underWay = 0;
  let freedFor: readonly unknown[] = [];

  const free = (state: ClusterState): void => {
    if (state.managerNodeId === undefined) return;
    if (state.blocks.global.some((held) => held.disableStatePersistence)) return;
    const cause = [state.routingTable, state.metadata.indices, graveyardOf(state)];
    if (cause.every((part, i) => part === freedFor[i])) return;
    const removed = attempt(host, () => cleanStores({ disk: host.disk, nodeId, state, deleted }));
    if (removed === undefined) return;
    freedFor = cause;
    if (removed.length > 0) void makeDurable(removed);
  };

  /** A crash could otherwise bring back a removed folder, when its tombstone has been dropped. */
  const makeDurable = async (removed: readonly string[]): Promise<void> => {
    const parents = new Set(removed.map((folder) => folder.slice(0, folder.lastIndexOf("/"))));
    try {
      for (const folder of parents) await host.disk.syncFolder(folder);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      host.log("warn", error.message);
    }
  };

  /**
   * Recorded with the state itself: before the workers have followed, later deletions may have dropped the tombstone.
   */
  const noteDeleted = (state: ClusterState, previous: ClusterState): void => {
    const [now, before] = [state.metadata, previous.metadata];
    const isSame = before.indices === now.indices && graveyardOf(state) === graveyardOf(previous);
    if (isSame) return;
    for (const uuid of tombstonedIndices(state)) deleted.add(uuid);
    const live = new Set([...now.indices.values()].map(({ uuid }) => uuid));
    // An index that is missing from a state of another cluster, or of none, was not deleted.
    if (before.clusterUuid === now.clusterUuid) {
      for (const { uuid } of before.indices.values()) if (!live.has(uuid)) deleted.add(uuid);
    }
    for (const uuid of [...deleted]) if (live.has(uuid)) deleted.delete(uuid);
  };

  const write = async (uuid: IndexUuid, entry: StoredMetadata): Promise<void> => {
    entry.isWriting = true;
    while (entry.written !== entry.wanted && kept.get(uuid) === entry) {
      const metadata = entry.wanted;
      const isGivenUp = (): boolean => kept.get(uuid) !== entry;
      try {
        await writeIndexMetadata(host.disk, metadata, isGivenUp);
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        host.log("warn", `could not write the metadata of [${metadata.name}]: ${error.message}`);
        // The next change of the metadata retries.
        break;
      }
      entry.written = metadata;
    }
    entry.isWriting = false;
    // The write may have created the folder of a deleted index again.
    if (deleted.has(uuid)) attempt(host, () => host.disk.remove(indexFolder(uuid)));
  };

  const persistMetadata = (state: ClusterState): void => {
    const present = [...indicesOn(state, nodeId)].flatMap(
      (name) => state.metadata.indices.get(name) ?? [],
    );
    const uuids = new Set(present.map(({ uuid }) => uuid));
    for (const uuid of [...kept.keys()]) if (!uuids.has(uuid)) kept.delete(uuid);
    for (const metadata of present) {
      const entry = kept.get(metadata.uuid) ?? {
        wanted: metadata,
        written: undefined,
        isWriting: false,
      };
      kept.set(metadata.uuid, entry);
      entry.wanted = metadata;
      if (entry.written !== metadata && !entry.isWriting) waiting.set(metadata.uuid, entry);
    }
    writeNext();
  };

  const writeNext = (): void => {
    for (const [uuid, entry] of waiting) {
      if (underWay === CONCURRENT_WRITES) return;
      waiting.delete(uuid);
      if (kept.get(uuid) !== entry) continue;
      underWay += 1;
      void write(uuid, entry).finally(() => {
        underWay -= 1;
        writeNext();
      });
    }
  };

  return {
    applied(state, previous) {
      noteDeleted(state, previous);
      if (keepsMetadata && state.metadata.indices !== previous.metadata.indices)
        persistMetadata(state);
      else if (keepsMetadata && state.routingTable !== previous.routingTable)
        persistMetadata(state);
    },
    free,
    isDeleted: (uuid) => deleted.has(uuid),
  };
}

function graveyardOf({ metadata }: ClusterState): unknown {
  return metadata.customs.get("index-graveyard");
}

/** Syncs share few threads with those of document writes. */
const CONCURRENT_WRITES = 4;

/** Metadata of one index: the wanted and the written one. */
interface StoredMetadata {
  wanted: IndexMetadata;
  written: IndexMetadata | undefined;
  isWriting: boolean;
}

/** A disk that fails is retried with the next state. */
function attempt<T>(host: Host, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    host.log("warn", error.message);
    return undefined;
  }
}
