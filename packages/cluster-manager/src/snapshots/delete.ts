/** Deletions: begun at a client's word, carried out when the repository is free, in an order that a crash may interrupt anywhere. */
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

export interface DeleteSnapshotsRequest {
  readonly repository: string;
  /** As the client named them was found out before: one that is gone has been deleted. */
  readonly uuids: readonly string[];
}

interface Named {
  readonly name: string;
  readonly uuid: string;
}

/** Begins the deletion; returns the uuids it is about. */
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

/** Whether a deletion of any of these is still to be done. */
export function isBeingDeleted(
  deletions: readonly SnapshotDeletion[],
  uuids: ReadonlySet<string>,
): boolean {
  return deletions.some(({ snapshots }) => snapshots.some(({ uuid }) => uuids.has(uuid)));
}

/**
 * New generations of the shards concerned, then the data without the snapshots, then that is in force, and only then is removed what
 * lay there before and it does not lead to. Carried out again after a crash it finds the rest.
 */
export async function runDeletion(deps: SnapshotDeps, deletion: SnapshotDeletion): Promise<void> {
  const loaded = await deps.repositories.load(deps.applied, deletion.repository);
  const gone = new Set(deletion.snapshots.map(({ uuid }) => uuid));
  const isWritten = loaded.data.snapshots.some(({ uuid }) => gone.has(uuid));
  const data = await withoutThem(deps, loaded, gone).catch((error: unknown) => {
    if (isWritten || !(error instanceof BlobError)) throw error;
    logLeft(deps, loaded, error);
    return loaded.data;
  });
  const shardGenerations = Object.fromEntries(
    data.indices.map((index) => [index.id, index.shardGenerations]),
  );
  await deps.submit({ kind: "finish-deletion", uuid: deletion.uuid, shardGenerations });
}

/** The data that is in force then. */
async function withoutThem(
  deps: SnapshotDeps,
  loaded: LoadedRepository,
  gone: ReadonlySet<string>,
): Promise<RepositoryData> {
  const { repository, data } = loaded;
  const { store } = repository;
  const pruned = await pruneShards(deps, loaded, gone);
  const next = withoutSnapshots(data, gone, pruned.generations);
  const written = data.snapshots.length - next.snapshots.length;
  // An aborted snapshot, or an attempt before this one, may have left blobs in any shard's folder.
  const isAnywhere = written < gone.size || pruned.hasStale;
  const left = await findLeft(deps, loaded, { next, isAnywhere });
  const found = staleIn(left, next);
  if (written + found.blobs.length + found.folders.length === 0) return data;
  const replaced = await replaceData(deps, loaded, next);
  await removeStale(store, staleIn(left, replaced)).catch((error: unknown) => {
    logLeft(deps, loaded, error);
  });
  return replaced;
}

/** Nothing leads to what is left: a clean-up finds it. */
function logLeft({ host }: SnapshotDeps, { repository }: LoadedRepository, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  host.log("warn", `[${repository.name}] could not remove stale blobs: ${why}`);
}

interface PrunedShards {
  /** By index id and shard number. */
  readonly generations: ReadonlyMap<string, ReadonlyMap<number, string | null>>;
  readonly hasStale: boolean;
}

/** A shard that cannot be read or written keeps its generation, and with it what only those snapshots needed. */
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
    // An aborted snapshot may be listed by any shard that another one was taken of after it.
    if (left === 0 || (left === index.snapshots.length && isAllWritten)) continue;
    const changed = new Map<number, string | null>();
    for (const shard of index.shardGenerations.keys()) {
      changed.set(shard, await prune(index, shard));
    }
    generations.set(index.id, changed);
  }
  return { generations, hasStale };
}

function survivorsOf({ snapshots }: IndexRecord, gone: ReadonlySet<string>): readonly string[] {
  return snapshots.filter((uuid) => !gone.has(uuid));
}

interface Left {
  readonly listing: RepositoryListing;
  readonly inShards: Stale["blobs"];
}

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

/** Of what lay there when it was looked for. */
function staleIn({ listing, inShards }: Left, data: RepositoryData): Stale {
  const { blobs, folders } = staleRoot(listing, data);
  return { blobs: [...blobs, ...inShards], folders };
}
