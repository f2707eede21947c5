/**
 * Deletion of snapshots (`SnapshotsService.deleteSnapshots`, `BlobStoreRepository.deleteSnapshots`): begun by a client's
 * request, run when no snapshot writes to the repository.
 *
 * Its writes are ordered so that a crash after any of them leaves a readable repository: new data first, in force
 * second, removal last. The next elected cluster manager runs the deletion again, and finds what is left to do.
 */
import { snapshotsOf, type SnapshotDeletion } from "@orrery/cluster-state";
import { BlobError } from "@orrery/ports";
import {
  blobProblem,
  isStoreFailure,
  listRepository,
  pruneShard,
  removeStale,
  repositoryError,
  shardFolder,
  staleInShards,
  staleRoot,
  withoutSnapshots,
  type IndexRecord,
  type RepositoryData,
  type RepositoryListing,
  type Stale,
} from "@orrery/repository";
import { newUuid, type JsonObject } from "@orrery/stdx";
import { inForce } from "./create.ts";
import type { SnapshotDeps } from "./deps.ts";
import { replaceData, type LoadedRepository } from "./repositories.ts";

/** Parameters of a deletion. */
export interface DeleteSnapshotsRequest {
  readonly repository: string;
  /** Resolved from the client's names before. A uuid that no longer exists counts as deleted, so that retries succeed. */
  readonly uuids: readonly string[];
}

/** A snapshot, stored or running. */
interface Named {
  readonly name: string;
  readonly uuid: string;
}

/**
 * Begins a deletion, which aborts those of its snapshots that are running; answers with the uuids that are in the
 * repository or running.
 */
export async function beginDeletion(
  deps: SnapshotDeps,
  request: DeleteSnapshotsRequest,
): Promise<JsonObject> {
  return inForce(async () => {
    const { repository: name } = request;
    const { settings } = deps.repositories.named(deps.applied(), name);
    if (settings.isReadOnly && request.uuids.length > 0) {
      throw repositoryError(name, "cannot delete snapshot from a readonly repository");
    }
    const { data, expected } = await deps.repositories.load(deps.applied, name);
    const running = snapshotsOf(deps.applied()).filter((entry) => entry.repository === name);
    // Also running ones: the reducer aborts them in the version that begins the deletion.
    const all: Named[] = [
      ...data.snapshots,
      ...running.map((entry) => ({ name: entry.snapshot, uuid: entry.uuid })),
    ];
    const snapshots = all
      .filter(({ uuid }) => request.uuids.includes(uuid))
      .map((one) => ({ name: one.name, uuid: one.uuid }));
    await deps.submit({
      kind: "delete-snapshots",
      uuid: newUuid(deps.random),
      repository: name,
      repositoryGeneration: expected,
      snapshots,
      nowMs: deps.host.clock.nowMs(),
    });
    return { uuids: snapshots.map(({ uuid }) => uuid) };
  });
}

/** Whether a deletion of any of these snapshots is waiting or running. */
export function isBeingDeleted(
  deletions: readonly SnapshotDeletion[],
  uuids: ReadonlySet<string>,
): boolean {
  return deletions.some(({ snapshots }) => snapshots.some(({ uuid }) => uuids.has(uuid)));
}

/**
 * Runs the deletion: writes new shard generations without the snapshots, writes repository data without them, puts it in
 * force, removes the blobs that it does not reference, and submits `finish-deletion` with the shard generations that
 * waiting snapshots continue from.
 */
export async function runDeletion(deps: SnapshotDeps, deletion: SnapshotDeletion): Promise<void> {
  const loaded = await deps.repositories.load(deps.applied, deletion.repository);
  const gone = new Set(deletion.snapshots.map(({ uuid }) => uuid));
  // Without any of the snapshots in the data, only remains are left to remove: failing to do so fails no request.
  const isWritten = loaded.data.snapshots.some(({ uuid }) => gone.has(uuid));
  const data = await withoutThem(deps, loaded, gone).catch((error: unknown) => {
    if (isWritten || !(error instanceof BlobError)) throw error;
    logLeft(deps, loaded, error);
    return loaded.data;
  });
  // Of all remaining indices, changed or not: a snapshot that waits may have read the generations before the deletion.
  const shardGenerations = Object.fromEntries(
    data.indices.map((index) => [index.id, index.shardGenerations]),
  );
  await deps.submit({ kind: "finish-deletion", uuid: deletion.uuid, shardGenerations });
}

/** Repository data without the snapshots, once it is in force and stale blobs are removed; the data as it is when there is nothing to do. */
async function withoutThem(
  deps: SnapshotDeps,
  loaded: LoadedRepository,
  gone: ReadonlySet<string>,
): Promise<RepositoryData> {
  const { repository, data } = loaded;
  const { store } = repository;
  // New shard generations first; the repository data that is in force still references the former ones.
  const pruned = await pruneShards(deps, loaded, gone);
  const next = withoutSnapshots(data, gone, pruned.generations);
  const written = data.snapshots.length - next.snapshots.length;
  // Blobs of an aborted snapshot, or of an interrupted attempt, may be in any shard's folder.
  const isAnywhere = written < gone.size || pruned.hasStale;
  const left = await findLeft(deps, loaded, { next, isAnywhere });
  const found = staleIn(left, next);
  // An aborted snapshot that wrote nothing is neither listed nor stale: no generation is written for it.
  if (written + found.blobs.length + found.folders.length === 0) return data;
  const replaced = await replaceData(deps, loaded, next);
  // The listing is from before `replaceData`: a blob that a successor has written since cannot be in it.
  await removeStale(store, staleIn(left, replaced)).catch((error: unknown) => {
    logLeft(deps, loaded, error);
  });
  return replaced;
}

/** Logs that stale blobs remain. They are not referenced, and a later deletion or clean-up removes them. */
function logLeft({ host }: SnapshotDeps, { repository }: LoadedRepository, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  host.log("warn", `[${repository.name}] could not remove stale blobs: ${why}`);
}

/** Outcome of pruning. */
interface PrunedShards {
  /** New shard generations by index id and shard number. */
  readonly generations: ReadonlyMap<string, ReadonlyMap<number, string | null>>;
  readonly hasStale: boolean;
}

/**
 * Writes shard generations without the snapshots, for indices that keep others. A shard that cannot be read or written
 * keeps its generation, and thus the blobs that only the deleted snapshots needed.
 */
async function pruneShards(
  deps: SnapshotDeps,
  { repository, data }: LoadedRepository,
  gone: ReadonlySet<string>,
): Promise<PrunedShards> {
  const { compression } = repository.settings;
  const generations = new Map<string, Map<number, string | null>>();
  let hasStale = false;
  const isAllWritten = data.snapshots.filter(({ uuid }) => gone.has(uuid)).length === gone.size;
  const prune = async (index: IndexRecord, shard: number): Promise<string | null> => {
    const survivors = new Set(survivorsOf(index, gone));
    const generation = index.shardGenerations[shard] ?? null;
    const folder = shardFolder(index, shard);
    const newId = (): string => newUuid(deps.random);
    try {
      const request = { folder, generation, survivors, compression, newId };
      const pruned = await pruneShard(repository.store, request);
      hasStale ||= pruned.stale.length > 0;
      return pruned.generation;
    } catch (error) {
      if (!isStoreFailure(error)) throw error;
      const why = blobProblem(error).reason ?? "";
      const place = `[${repository.name}] [${index.name}][${shard}]`;
      deps.host.log("warn", `${place} failed to delete shard data: ${why}`);
      return generation;
    }
  };
  for (const index of data.indices) {
    const left = survivorsOf(index, gone).length;
    // Skipped: an index without surviving snapshots is removed as a folder, and one that held none of the snapshots is
    // untouched, unless some were aborted, which the data does not list but shards of later snapshots may.
    if (left === 0 || (left === index.snapshots.length && isAllWritten)) continue;
    const changed = new Map<number, string | null>();
    for (const shard of index.shardGenerations.keys()) {
      changed.set(shard, await prune(index, shard));
    }
    generations.set(index.id, changed);
  }
  return { generations, hasStale };
}

/** Snapshots of an index that stay. */
function survivorsOf({ snapshots }: IndexRecord, gone: ReadonlySet<string>): readonly string[] {
  return snapshots.filter((uuid) => !gone.has(uuid));
}

/** Blobs found in the repository before the new generation was written. */
interface Left {
  readonly listing: RepositoryListing;
  readonly inShards: Stale["blobs"];
}

/** Lists the repository, and the folders of shards if blobs may be anywhere. A failed listing leaves blobs for later. */
async function findLeft(
  deps: SnapshotDeps,
  loaded: LoadedRepository,
  { next, isAnywhere }: { readonly next: RepositoryData; readonly isAnywhere: boolean },
): Promise<Left> {
  const { store } = loaded.repository;
  const passedOver = (_: string, error: unknown): void => logLeft(deps, loaded, error);
  const inShards = isAnywhere ? await staleInShards(store, next, passedOver) : [];
  const listing = await listRepository(store).catch((error: unknown) => {
    if (!isStoreFailure(error)) throw error;
    logLeft(deps, loaded, error);
    return { blobs: [], folders: [] };
  });
  return { listing, inShards };
}

/** Blobs of the listing that `data` does not reference. Blobs written since the listing are not among them. */
function staleIn({ listing, inShards }: Left, data: RepositoryData): Stale {
  const { blobs, folders } = staleRoot(listing, data);
  return { blobs: [...blobs, ...inShards], folders };
}
