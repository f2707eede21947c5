/**
 * What lies in a repository that its generation in force does not lead to: left by deletions, and by whoever died.
 *
 * Contract: it is found before a new generation is written, and removed when that is in force. Whoever comes to removing it late, and
 * is not the elected cluster manager any more, then removes nothing that others have written since.
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

export interface Removed {
  readonly blobs: number;
  readonly bytes: number;
}

/** What is there, but for the inside of the folders of indices. */
export interface RepositoryListing {
  readonly blobs: readonly BlobInfo[];
  /** Of indices, and what writers that died may have left. */
  readonly folders: readonly { readonly path: string; readonly name: string }[];
}

export interface Stale {
  readonly blobs: readonly StaleBlob[];
  /** With all that they hold. */
  readonly folders: readonly string[];
}

export interface StaleBlob {
  readonly path: string;
  readonly sizeBytes: number;
}

export async function listRepository(store: BlobStore): Promise<RepositoryListing> {
  return { blobs: await rootBlobs(store), folders: await listFolders(store) };
}

/** The newest generation that lies there, whoever wrote it; −1 without any. */
export function newestGeneration({ blobs }: RepositoryListing): number {
  return Math.max(-1, greatest(blobs.map(({ name }) => generationOf(name) ?? -1)));
}

/** Blobs at the top and folders of indices that nobody holds. Newer generations than this are left alone. */
export function staleRoot({ blobs, folders }: RepositoryListing, data: RepositoryData): Stale {
  const ids = new Set(data.indices.map(({ id }) => id));
  return {
    blobs: blobs
      .filter(({ name }) => isStaleRoot(name, data))
      .map(({ name, sizeBytes }) => ({ path: name, sizeBytes })),
    folders: folders.filter(({ name }) => !ids.has(name)).map(({ path }) => path),
  };
}

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

/** None where nothing was ever written. */
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

/** Wherever their shards' paths begin. */
async function listFolders(store: BlobStore): Promise<RepositoryListing["folders"]> {
  const found: { path: string; name: string }[] = [];
  const look = async (parent: string): Promise<void> => {
    for (const name of await store.folders(parent)) {
      const path = `${parent}/${name}`;
      if (HASH.test(name)) await look(path);
      else found.push({ path, name });
    }
  };
  await look("indices");
  for (const name of await store.folders("")) {
    if (HASH.test(name)) await look(`${name}/indices`);
    else if (isTemporary(name)) found.push({ path: name, name });
  }
  return found;
}

const HASH = /^[0-9a-f]{8}$/;

/**
 * Inside the folders of indices that are held: what their shards' generations do not lead to. A folder of which that cannot be told
 * is passed over.
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

/** Paths of the metadata that snapshots of this index saw. */
export function metadataBlobs(index: IndexRecord, data: RepositoryData): ReadonlySet<string> {
  const blobs = data.snapshots.flatMap(({ indexMetadata }) => {
    const blobId = lookup(data.indexMetadata, lookup(indexMetadata, index.id) ?? "");
    return blobId === undefined ? [] : [indexMetadataBlob(index, blobId)];
  });
  return new Set(blobs);
}

/** Older generations, up to a thousand: a manager that died may not have come to it. */
export function olderGenerations(generation: number): readonly string[] {
  const least = Math.max(0, generation - 1000);
  return Array.from({ length: generation - least }, (_, i) => dataBlob(least + i));
}

/** What a snapshot has at the top. */
export function rootBlobsOf(uuid: string): readonly string[] {
  return [infoBlob(uuid), globalBlob(uuid)];
}
