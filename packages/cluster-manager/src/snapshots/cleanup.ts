/**
 * `_snapshot/{repository}/_cleanup` (`TransportCleanupRepositoryAction`): removes blobs that the generation in force
 * does not reference.
 *
 * The order is what makes it safe. Stale blobs are determined first, then a new generation is put in force, then they
 * are removed. Putting it in force fails for a cluster manager that has lost its term, which then removes nothing that
 * its successor may have written; and data that a crashed one wrote under a newer number is never read.
 */
import {
  blobProblem,
  listRepository,
  newestGeneration,
  removeStale,
  repositoryError,
  staleInShards,
  staleRoot,
  type Stale,
} from "@orrery/repository";
import { newUuid, type JsonObject } from "@orrery/stdx";
import type { SnapshotDeps } from "./deps.ts";
import { inForce } from "./create.ts";
import { replaceData } from "./repositories.ts";

/** Runs a clean-up, under an entry in the cluster state that keeps snapshots out. Answers with the bytes and blobs removed. */
export async function cleanUpRepository(deps: SnapshotDeps, name: string): Promise<JsonObject> {
  const { settings } = (await deps.repositories.load(deps.applied, name)).repository;
  if (settings.isReadOnly) {
    throw repositoryError(name, "cannot run cleanup on readonly repository");
  }
  const uuid = newUuid(deps.random);
  await deps.submit({ kind: "start-repository-cleanup", uuid, repository: name });
  try {
    return await inForce(() => cleanUp(deps, name));
  } finally {
    await deps.submit({ kind: "finish-repository-cleanup", uuid });
  }
}

async function cleanUp(deps: SnapshotDeps, name: string): Promise<JsonObject> {
  const loaded = await deps.repositories.load(deps.applied, name);
  const { repository, data } = loaded;
  const { store } = repository;
  const listing = await listRepository(store);
  const root = staleRoot(listing, data);
  const inShards = await staleInShards(store, data, (folder, error) => {
    const why = blobProblem(error).reason ?? "";
    deps.host.log("warn", `[${name}] could not clean up [${folder}]: ${why}`);
  });
  const stale: Stale = { ...root, blobs: [...root.blobs, ...inShards] };
  // A newer index blob, left by a crashed cluster manager, is superseded by writing a generation above it.
  const isNewest = newestGeneration(listing) <= data.generation;
  if (isNewest && stale.blobs.length === 0 && stale.folders.length === 0) {
    return { bytes: 0, blobs: 0 };
  }
  const next = await replaceData(deps, loaded, data);
  const { bytes, blobs } = await removeStale(store, stale);
  // The index blob of the former generation is removed, too, but not counted as stale.
  await removeStale(store, { blobs: staleRoot(listing, next).blobs, folders: [] });
  return { bytes, blobs };
}
