/** What lies in a repository that its generation in force does not lead to: left by deletions, and by whoever died. */
import type { BlobInfo, BlobStore } from "@orrery/ports";
import {
  dataBlob,
  globalBlob,
  indexFolder,
  indexMetadataBlob,
  infoBlob,
  latestBlob,
  shardFolder,
  isTemporary,
} from "./names.ts";
import { staleBlobs } from "./plan.ts";
import { isMissing } from "./problems.ts";
import { readShardIndex } from "./shard.ts";
import type { IndexRecord, RepositoryData } from "./types.ts";

export interface Removed {
  readonly blobs: number;
  readonly bytes: number;
}

/** Blobs at the top and folders of indices that nobody holds. Newer generations than this are left alone. */
export async function removeStaleRoot(store: BlobStore, data: RepositoryData): Promise<Removed> {
  const blobs = await rootBlobs(store);
  const stale = blobs.filter(({ name }) => isStaleRoot(name, data));
  await store.remove(stale.map(({ name }) => name));
  const total = { blobs: stale.length, bytes: sumOf(stale) };
  for (const folder of await staleFolders(store, data)) {
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
  const generation = /^index-(\d+)$/.exec(name)?.[1];
  if (generation !== undefined) return Number(generation) < data.generation;
  const uuid = /^(?:snap|meta)-(.+)\.dat$/.exec(name)?.[1];
  return uuid !== undefined && data.snapshots.every((snapshot) => snapshot.uuid !== uuid);
}

/** Folders of indices, wherever their shards' paths begin. */
async function staleFolders(store: BlobStore, data: RepositoryData): Promise<readonly string[]> {
  const ids = new Set(data.indices.map(({ id }) => id));
  const stale: string[] = [];
  const look = async (parent: string): Promise<void> => {
    for (const name of await store.folders(parent)) {
      const folder = `${parent}/${name}`;
      if (HASH.test(name)) await look(folder);
      else if (!ids.has(name)) stale.push(folder);
    }
  };
  await look("indices");
  for (const name of await store.folders("")) {
    if (HASH.test(name)) await look(`${name}/indices`);
    else if (isTemporary(name)) stale.push(name);
  }
  return stale;
}

const HASH = /^[0-9a-f]{8}$/;

/** Inside the folders of indices that are held: what their shards' generations do not lead to. */
export async function removeStaleShards(store: BlobStore, data: RepositoryData): Promise<Removed> {
  const total = { blobs: 0, bytes: 0 };
  const remove = async (
    folder: string,
    stale: readonly { readonly name: string; readonly sizeBytes: number }[],
  ): Promise<void> => {
    await store.remove(stale.map(({ name }) => `${folder}/${name}`));
    total.blobs += stale.length;
    total.bytes += sumOf(stale);
  };
  for (const index of data.indices) {
    const needed = metadataBlobs(index, data);
    const folder = indexFolder(index);
    const listed = await store.list(folder);
    await remove(
      folder,
      listed.filter(({ name }) => !needed.has(`${folder}/${name}`)),
    );
    for (const [shard, generation] of index.shardGenerations.entries()) {
      const path = shardFolder(index, shard);
      const shardIndex = await readShardIndex(store, path, generation);
      const blobs = await store.list(path);
      const stale = new Set(
        staleBlobs(
          blobs.map(({ name }) => name),
          shardIndex,
          generation,
        ),
      );
      await remove(
        path,
        blobs.filter(({ name }) => stale.has(name)),
      );
    }
  }
  return total;
}

/** Paths of the metadata that snapshots of this index saw. */
export function metadataBlobs(index: IndexRecord, data: RepositoryData): ReadonlySet<string> {
  const blobs = data.snapshots.flatMap(({ indexMetadata }) => {
    const blobId = data.indexMetadata[indexMetadata[index.id] ?? ""];
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

function sumOf(blobs: readonly { readonly sizeBytes: number }[]): number {
  return blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
