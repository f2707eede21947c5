/**
 * Finalization of a snapshot (`BlobStoreRepository.finalizeSnapshot`), after all its shards have ended.
 *
 * In order: global and index metadata, the snapshot's info blob, repository data of a new generation that lists it, then
 * the task `finish-snapshot`, which puts that generation in force and removes the entry from the cluster state in one
 * version. A crash before that task leaves blobs that nothing references, and the next elected cluster manager repeats
 * all steps. Replaced shard generations are removed last, when no generation in force references them.
 */
import {
  plainIndexMetadata,
  type ClusterState,
  type IndexMetadata,
  type ShardSnapshotEntry,
  type SnapshotEntry,
} from "@orrery/cluster-state";
import {
  isMissing,
  olderGenerations,
  shardFolder,
  shardIndexBlob,
  snapshotNamed,
  withSnapshot,
  type GlobalMetadata,
  type Repository,
  type RepositoryData,
  type RepositoryIndex,
  type ShardFailure,
  type ShardPathType,
  type SnapshotInfo,
} from "@orrery/repository";
import { lookup, newUuid, OperationError, setKey } from "@orrery/stdx";
import { globalMetadataOf, keptDataStreams, withKeptDataStreams } from "./global-metadata.ts";
import type { SnapshotDeps } from "./deps.ts";
import { writeNewData, type LoadedRepository } from "./repositories.ts";

/** The product version that new snapshots record. */
export const PRODUCT_VERSION = "3.8.0";

/** Finalizes a snapshot or a clone whose shards have ended; resolves when its entry has left the state and stale blobs are removed. */
export async function finalizeSnapshot(deps: SnapshotDeps, entry: SnapshotEntry): Promise<void> {
  const loaded = await deps.repositories.load(deps.applied, entry.repository);
  const { repository, data, expected } = loaded;
  // From the state of this moment: an index that was deleted meanwhile is not part of a partial snapshot.
  const info = infoOf(deps, entry);
  const streams = keptDataStreams(deps.applied(), entry.data_streams, info.indices);
  if (entry.clone_source === undefined && (entry.include_global_state || streams.length > 0)) {
    const global = entry.include_global_state ? globalMetadataOf(deps.applied()) : {};
    await repository.writeGlobal(entry.uuid, withKeptDataStreams(global, streams));
  }
  if (entry.clone_source !== undefined && entry.include_global_state) {
    await repository.writeGlobal(entry.uuid, await globalOf(loaded, entry.clone_source.uuid));
  }
  const seen = await indexMetadata(deps, entry, loaded);
  // Last of the blobs that are named by uuid: a repetition after a crash replaces all of them.
  await repository.writeInfo(info);
  const indices = indicesIn(entry, info);
  const generations = generationsOf(entry, indices);
  const next = withSnapshot(data, {
    record: {
      name: entry.snapshot,
      uuid: entry.uuid,
      state: info.state,
      version: PRODUCT_VERSION,
      indexMetadata: seen.identifiers,
    },
    indices,
    shardGenerations: generations,
    indexMetadata: seen.written,
  });
  // The commit point: the task puts the generation in force only if the one that was read is still in force.
  const generation = await writeNewData(deps, loaded, next);
  const written = { repository: entry.repository, expected, generation };
  await deps.submit({ kind: "finish-snapshot", uuid: entry.uuid, written });
  // Not before: until the task is applied, the former generation is in force and references these blobs.
  await removeReplaced(loaded, generations, generation);
}

/** Global metadata of the source of a clone; empty when the source has none. A lost blob fails the clone. */
async function globalOf({ repository }: LoadedRepository, uuid: string): Promise<GlobalMetadata> {
  const { includeGlobalState, dataStreams } = await repository.readInfo(uuid);
  return includeGlobalState || dataStreams.length > 0 ? repository.readGlobal(uuid) : {};
}

/** The info blob: state, times, counts and failures of the snapshot. Clones count no shards, as in the product. */
function infoOf({ host, applied }: SnapshotDeps, entry: SnapshotEntry): SnapshotInfo {
  const state = applied();
  const isClone = entry.clone_source !== undefined;
  const indices = entry.indices.filter(({ name }) => isClone || isThere(state, entry, name));
  const names = new Set(indices.map(({ name }) => name));
  const shards = entry.shards.filter(({ index }) => names.has(index.index_name));
  const failures = shards.flatMap((shard) => failureOf(shard));
  const total = isClone ? 0 : shards.length;
  return {
    name: entry.snapshot,
    uuid: entry.uuid,
    version: PRODUCT_VERSION,
    state: failures.length === 0 ? "SUCCESS" : "PARTIAL",
    indices: indices.map(({ name }) => name),
    dataStreams: keptDataStreams(state, entry.data_streams, [...names]).map(({ name }) => name),
    includeGlobalState: entry.include_global_state,
    ...(entry.metadata === undefined ? {} : { metadata: entry.metadata }),
    startTimeMs: entry.start_time_millis,
    endTimeMs: host.clock.nowMs(),
    totalShards: total,
    successfulShards: Math.max(0, total - failures.length),
    failures,
    remoteStoreIndexShallowCopy: entry.remote_store_index_shallow_copy === true,
  };
}

/** Whether the index of the entry still exists under its uuid; one that was deleted during a partial snapshot is left out. */
function isThere(state: ClusterState, entry: SnapshotEntry, name: string): boolean {
  const uuid = state.metadata.indices.get(name)?.uuid;
  const shard = entry.shards.find(({ index }) => index.index_name === name);
  return uuid !== undefined && (shard === undefined || shard.index.index_uuid === uuid);
}

function failureOf(shard: ShardSnapshotEntry): ShardFailure[] {
  if (shard.state === "SUCCESS") return [];
  return [
    {
      index: shard.index.index_name,
      shard: shard.shard,
      reason: shard.reason ?? "",
      ...(shard.node === undefined ? {} : { nodeId: shard.node }),
    },
  ];
}

function indicesIn(entry: SnapshotEntry, info: SnapshotInfo): readonly RepositoryIndex[] {
  return entry.indices.filter(({ name }) => info.indices.includes(name)).map(repositoryIndex);
}

/** An index of a snapshot entry, as the package `repository` names it. */
export function repositoryIndex({
  name,
  id,
  path_type: pathType,
}: SnapshotEntry["indices"][number]): RepositoryIndex {
  return { name, id, pathType: pathType as ShardPathType };
}

type ShardGenerations = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** New shard generations by index id and shard number. Those of indices that were left out stay unreferenced. */
function generationsOf(
  entry: SnapshotEntry,
  indices: readonly RepositoryIndex[],
): ShardGenerations {
  const held = new Set(indices.map(({ id }) => id));
  const generations = new Map<string, Map<number, string>>();
  for (const { id, shard, state, generation } of entry.shards) {
    if (state !== "SUCCESS" || generation === null || !held.has(id)) continue;
    generations.set(id, (generations.get(id) ?? new Map()).set(shard, generation));
  }
  return generations;
}

/** Index metadata of the snapshot. */
interface SeenMetadata {
  /** Identifier of each index's metadata, by index id. */
  readonly identifiers: Readonly<Record<string, string>>;
  /** Blob ids of the metadata written now, by identifier. */
  readonly written: Readonly<Record<string, string>>;
}

/** Writes metadata of indices that the repository does not have yet in this version; unchanged metadata is shared by snapshots. */
async function indexMetadata(
  deps: SnapshotDeps,
  entry: SnapshotEntry,
  { repository, data }: LoadedRepository,
): Promise<SeenMetadata> {
  if (entry.clone_source !== undefined)
    return { identifiers: clonedFrom(data, entry), written: {} };
  const identifiers: Record<string, string> = {};
  const written: Record<string, string> = {};
  for (const { name, id } of entry.indices) {
    const metadata = deps.applied().metadata.indices.get(name);
    if (metadata === undefined) continue;
    const identifier = identifierOf(metadata);
    setKey(identifiers, id, identifier);
    // Identifiers contain the version counters: unchanged metadata has a blob from an earlier snapshot, which is shared.
    const known = lookup(data.indexMetadata, identifier);
    if (known !== undefined && (await isWhole(repository, id, known))) continue;
    const blobId = known ?? newUuid(deps.random);
    if (known === undefined) setKey(written, identifier, blobId);
    await repository.writeIndexMetadata({ id }, blobId, plainIndexMetadata(metadata));
  }
  return { identifiers, written };
}

/** Whether the blob can be read. A lost or damaged one is written again under its id, which repairs earlier snapshots, too. */
async function isWhole(repository: Repository, id: string, blobId: string): Promise<boolean> {
  try {
    await repository.readIndexMetadata({ id }, blobId);
    return true;
  } catch (error) {
    if (isMissing(error) || error instanceof OperationError) return false;
    throw error;
  }
}

/** Identifiers of a clone: those of its source, for the cloned indices. */
function clonedFrom(data: RepositoryData, entry: SnapshotEntry): Readonly<Record<string, string>> {
  const source = snapshotNamed(data, entry.clone_source?.name ?? "");
  const ids = new Set(entry.indices.map(({ id }) => id));
  const kept = Object.entries(source?.indexMetadata ?? {}).filter(([id]) => ids.has(id));
  return Object.fromEntries(kept);
}

/** Identifier of index metadata; equal as long as the metadata does not change (`IndexMetaDataGenerations`). */
function identifierOf(index: IndexMetadata): string {
  const { uuid, settingsVersion, mappingVersion, aliasesVersion } = index;
  return `${uuid}-${settingsVersion}-${mappingVersion}-${aliasesVersion}`;
}

/** Removes shard generations and index blobs that only the former generation references. After a failure, a later deletion or clean-up removes them. */
async function removeReplaced(
  { repository, data }: LoadedRepository,
  generations: ShardGenerations,
  generation: number,
): Promise<void> {
  const known = new Map(data.indices.map((index) => [index.id, index]));
  const replaced = [...generations].flatMap(([id, shards]) => {
    const index = known.get(id);
    if (index === undefined) return [];
    return [...shards].flatMap(([shard, now]) => {
      const before = index.shardGenerations[shard] ?? null;
      if (before === null || before === now) return [];
      return [`${shardFolder(index, shard)}/${shardIndexBlob(before)}`];
    });
  });
  const older = olderGenerations(generation).slice(-OLDER_MOST);
  await repository.store.remove([...replaced, ...older]);
}

/** Limit of older index blobs removed at once; the rest is removed by the next deletion. */
const OLDER_MOST = 8;
