/**
 * What the node's own thread does with the folders of indices: tells the cluster manager what is there, keeps the metadata of
 * each index beside its shards, and frees what nobody needs. INV-DANGLING-2: what was deleted while this node was there, or is
 * remembered by a tombstone, goes and stays gone.
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

export interface Stores {
  /** The shown state has changed: what is known of indices is kept on disk, deletions are noted. */
  applied(state: ClusterState, previous: ClusterState): void;
  /** Frees what nobody needs. Call once the shard workers have applied the state. */
  free(state: ClusterState): void;
  /** Was deleted while this node was there; its folder may not be gone yet. */
  isDeleted(uuid: IndexUuid): boolean;
}

export interface StoresOptions {
  readonly host: Host;
  readonly nodeId: NodeId;
  /** `gateway.write_dangling_indices_info` */
  readonly keepsMetadata: boolean;
}

export function createStores({ host, nodeId, keepsMetadata }: StoresOptions): Stores {
  /** Deleted under this node's eyes, or before by a tombstone it has seen. */
  const deleted = new Set<IndexUuid>();
  const kept = new Map<IndexUuid, Kept>();
  /** To be written when others are; by then more of them may have changed, and one write does for all of it. */
  const waiting = new Map<IndexUuid, Kept>();
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

  /** Else a crash could bring back what was removed, when its tombstone is no more. */
  const makeDurable = async (removed: readonly string[]): Promise<void> => {
    const parents = new Set(removed.map((folder) => folder.slice(0, folder.lastIndexOf("/"))));
    try {
      for (const folder of parents) await host.disk.syncFolder(folder);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      host.log("warn", error.message);
    }
  };

  /** Noted at once: by the time the workers have followed, other deletions may have taken a tombstone's place. */
  const noteDeleted = (state: ClusterState, previous: ClusterState): void => {
    const [now, before] = [state.metadata, previous.metadata];
    const isSame = before.indices === now.indices && graveyardOf(state) === graveyardOf(previous);
    if (isSame) return;
    for (const uuid of tombstonedIndices(state)) deleted.add(uuid);
    const live = new Set([...now.indices.values()].map(({ uuid }) => uuid));
    // A state of another cluster, or of none, tells of no deletion.
    if (before.clusterUuid === now.clusterUuid) {
      for (const { uuid } of before.indices.values()) if (!live.has(uuid)) deleted.add(uuid);
    }
    for (const uuid of [...deleted]) if (live.has(uuid)) deleted.delete(uuid);
  };

  const write = async (uuid: IndexUuid, entry: Kept): Promise<void> => {
    entry.isWriting = true;
    while (entry.written !== entry.wanted && kept.get(uuid) === entry) {
      const metadata = entry.wanted;
      const isGivenUp = (): boolean => kept.get(uuid) !== entry;
      try {
        await writeIndexMetadata(host.disk, metadata, isGivenUp);
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        host.log("warn", `could not write the metadata of [${metadata.name}]: ${error.message}`);
        // The next change of it is the next attempt.
        break;
      }
      entry.written = metadata;
    }
    entry.isWriting = false;
    // What was begun may have made the folder of a deleted index anew.
    if (deleted.has(uuid)) attempt(host, () => host.disk.remove(indexFolder(uuid)));
  };

  const keep = (state: ClusterState): void => {
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
      if (underWay === WRITES_AT_A_TIME) return;
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
      if (keepsMetadata && state.metadata.indices !== previous.metadata.indices) keep(state);
      else if (keepsMetadata && state.routingTable !== previous.routingTable) keep(state);
    },
    free,
    isDeleted: (uuid) => deleted.has(uuid),
  };
}

function graveyardOf({ metadata }: ClusterState): unknown {
  return metadata.customs.get("index-graveyard");
}

/** Syncs share few threads with those that writes of documents wait for. */
const WRITES_AT_A_TIME = 4;

interface Kept {
  wanted: IndexMetadata;
  written: IndexMetadata | undefined;
  isWriting: boolean;
}

/** A disk that fails now is asked again with the next state. */
function attempt<T>(host: Host, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    host.log("warn", error.message);
    return undefined;
  }
}
