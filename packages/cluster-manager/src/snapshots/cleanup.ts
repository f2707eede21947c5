/** `_cleanup`: removes what no generation leads to. */
import { removeStaleRoot, removeStaleShards, repositoryError } from "@orrery/repository";
import { newUuid, type JsonObject } from "@orrery/stdx";
import type { SnapshotDeps } from "./deps.ts";

export async function cleanUpRepository(deps: SnapshotDeps, name: string): Promise<JsonObject> {
  const { settings } = (await deps.repositories.load(deps.applied(), name)).repository;
  if (settings.isReadOnly) {
    throw repositoryError(name, "cannot run cleanup on readonly repository");
  }
  const uuid = newUuid(deps.random);
  await deps.submit({ kind: "start-repository-cleanup", uuid, repository: name });
  try {
    const { repository, data } = await deps.repositories.load(deps.applied(), name);
    const root = await removeStaleRoot(repository.store, data);
    const shards = await removeStaleShards(repository.store, data);
    return { bytes: root.bytes + shards.bytes, blobs: root.blobs + shards.blobs };
  } finally {
    await deps.submit({ kind: "finish-repository-cleanup", uuid });
  }
}
