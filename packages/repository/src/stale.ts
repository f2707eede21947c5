/**
 * Stale blobs: those that the generation in force does not reference, left by deletions and by crashed writers.
 *
 * Contract: stale blobs are listed before a new generation is written, and removed after it is in force. A cluster
 * manager that has lost its term cannot put a generation in force, and so never removes blobs that its successor has
 * written since the listing.
 */
import { greatest, lookup } from "@orrery/stdx";
import type { BlobInfo, BlobStore } from "@orrery/ports";
import {
  dataBlob,
  generationOf,
  globalBlob,
  indexFolder,
  indexMetadataBlob,
  infoBlob,
  latestBlob,
  shardFolder,
  isTemporary,
} from "./names.ts";
import { staleBlobs } from "./plan.ts";
import { isMissing, isStoreFailure } from "./problems.ts";
import { readShardIndex } from "./shard.ts";
import type { IndexRecord, RepositoryData } from "./types.ts";

/** Totals of a removal. */
export interface Removed {
  readonly blobs: number;
  readonly bytes: number;
}

/** Listing of a repository's root blobs and of the folders of indices, without their contents. */
export interface RepositoryListing {
  readonly blobs: readonly BlobInfo[];
  /** Folders of indices, in all path types, and temporary folders. */
  readonly folders: readonly { readonly path: string; readonly name: string }[];
}

/** Stale blobs and folders. */
export interface Stale {
  readonly blobs: readonly StaleBlob[];
  /** Folders to be removed with all their contents. */
  readonly folders: readonly string[];
}

/** A stale blob. */
export interface StaleBlob {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Lists a repository; empty for a location that does not exist. */
export async function listRepository(store: BlobStore): Promise<RepositoryListing> {
  return { blobs: await rootBlobs(store), folders: await listFolders(store) };
}

/** The newest listed generation, in force or not; −1 without any. */
export function newestGeneration({ blobs }: RepositoryListing): number {
  return Math.max(-1, greatest(blobs.map(({ name }) => generationOf(name) ?? -1)));
}

/** Root blobs and folders of indices that `data` does not reference. Newer generations are not stale: a successor may have written them. */
export function staleRoot({ blobs, folders }: RepositoryListing, data: RepositoryData): Stale {
  const ids = new Set(data.indices.map(({ id }) => id));
  return {
    blobs: blobs
      .filter(({ name }) => isStaleRoot(name, data))
      .map(({ name, sizeBytes }) => ({ path: name, sizeBytes })),
    folders: folders.filter(({ name }) => !ids.has(name)).map(({ path }) => path),
  };
}

/** Removes stale blobs and folders. Returns the totals, which include the contents of the folders. */
export async function removeStale(store: BlobStore, { blobs, folders }: Stale): Promise<Removed> {
  await store.remove(blobs.map(({ path }) => path));
  const total = {
    blobs: blobs.length,
    bytes: blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
  for (const folder of folders) {
    const removed = await store.removeFolder(folder);
    total.blobs += removed.blobs;
    total.bytes += removed.bytes;
  }
  return total;
}

/** Blobs at the root; none when the location does not exist. */
async function rootBlobs(store: BlobStore): Promise<readonly BlobInfo[]> {
  try {
    return await store.list("");
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isStaleRoot(name: string, data: RepositoryData): boolean {
  if (name === latestBlob) return false;
  if (isTemporary(name)) return true;
  const generation = generationOf(name);
  if (generation !== undefined) return generation < data.generation;
  const uuid = /^(?:snap|meta)-(.+)\.dat$/.exec(name)?.[1];
  return uuid !== undefined && data.snapshots.every((snapshot) => snapshot.uuid !== uuid);
}

/** Folders of indices below `indices`, and below the hashes of the two hashed path types. */
async function listFolders(store: BlobStore): Promise<RepositoryListing["folders"]> {
  const found: { path: string; name: string }[] = [];
  const visit = async (parent: string): Promise<void> => {
    for (const name of await store.folders(parent)) {
      const path = `${parent}/${name}`;
      if (HASH.test(name)) await visit(path);
      else found.push({ path, name });
    }
  };
  await visit("indices");
  for (const name of await store.folders("")) {
    if (HASH.test(name)) await visit(`${name}/indices`);
    else if (isTemporary(name)) found.push({ path: name, name });
  }
  return found;
}

const HASH = /^[0-9a-f]{8}$/;

/**
 * Stale blobs in the folders of indices that `data` references: index metadata, and shard blobs that the shard's
 * generation does not reference. A folder whose blobs cannot be listed or read is skipped and reported.
 */
export async function staleInShards(
  store: BlobStore,
  data: RepositoryData,
  passedOver: (folder: string, error: unknown) => void,
): Promise<readonly StaleBlob[]> {
  const stale: StaleBlob[] = [];
  const inFolder = async (
    folder: string,
    choose: (names: readonly string[]) => Promise<readonly string[]>,
  ): Promise<void> => {
    try {
      const listed = await store.list(folder);
      const chosen = new Set(await choose(listed.map(({ name }) => name)));
      for (const { name, sizeBytes } of listed) {
        if (chosen.has(name)) stale.push({ path: `${folder}/${name}`, sizeBytes });
      }
    } catch (error) {
      if (!isStoreFailure(error)) throw error;
      passedOver(folder, error);
    }
  };
  for (const index of data.indices) {
    const needed = metadataBlobs(index, data);
    const folder = indexFolder(index);
    await inFolder(folder, async (names) =>
      names.filter((name) => !needed.has(`${folder}/${name}`)),
    );
    for (const [shard, generation] of index.shardGenerations.entries()) {
      const path = shardFolder(index, shard);
      await inFolder(path, async (names) =>
        staleBlobs(names, await readShardIndex(store, path, generation), generation),
      );
    }
  }
  return stale;
}

/** Paths of the index metadata that snapshots reference. */
export function metadataBlobs(index: IndexRecord, data: RepositoryData): ReadonlySet<string> {
  const blobs = data.snapshots.flatMap(({ indexMetadata }) => {
    const blobId = lookup(data.indexMetadata, lookup(indexMetadata, index.id) ?? "");
    return blobId === undefined ? [] : [indexMetadataBlob(index, blobId)];
  });
  return new Set(blobs);
}

/** Names of older generations, a thousand at most; a cluster manager that crashed may have left several. */
export function olderGenerations(generation: number): readonly string[] {
  const least = Math.max(0, generation - 1000);
  return Array.from({ length: generation - least }, (_, i) => dataBlob(least + i));
}

/** Root blobs of a snapshot. */
export function rootBlobsOf(uuid: string): readonly string[] {
  return [infoBlob(uuid), globalBlob(uuid)];
}
