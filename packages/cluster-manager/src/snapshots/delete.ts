/** Deletions: begun at a client's word, carried out when the repository is free, in an order that a crash may interrupt anywhere. */
import { snapshotsOf, type SnapshotDeletion } from "@orrery/cluster-state";
import {
  pruneShard,
  removeStaleRoot,
  removeStaleShards,
  repositoryError,
  shardFolder,
  withoutSnapshots,
  type IndexRecord,
  type RepositoryData,
} from "@orrery/repository";
import { newUuid, type JsonObject } from "@orrery/stdx";
import { inForce } from "./create.ts";
import type { SnapshotDeps } from "./deps.ts";
import { writeNewData, type LoadedRepository } from "./repositories.ts";

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
    const { data, expected } = await deps.repositories.load(deps.applied(), name);
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
 * New generations of the shards concerned, then the data without the snapshots, then that is in force, and only then what it does
 * not lead to is removed. Carried out again after a crash it finds the rest.
 */
export async function runDeletion(deps: SnapshotDeps, deletion: SnapshotDeletion): Promise<void> {
  const loaded = await deps.repositories.load(deps.applied(), deletion.repository);
  const gone = new Set(deletion.snapshots.map(({ uuid }) => uuid));
  const isWritten = loaded.data.snapshots.some(({ uuid }) => gone.has(uuid));
  const isWhole = loaded.data.snapshots.filter(({ uuid }) => gone.has(uuid)).length === gone.size;
  const { data, stale } = isWritten
    ? await writeWithout(deps, loaded, gone)
    : { data: loaded.data, stale: [] };
  await removeUnneeded(loaded, data, { stale, isWhole }).catch((error: unknown) => {
    // Nothing leads to what is left: a clean-up finds it.
    const why = error instanceof Error ? error.message : String(error);
    deps.host.log("warn", `[${deletion.repository}] could not remove stale blobs: ${why}`);
  });
  const shardGenerations = Object.fromEntries(
    data.indices.map((index) => [index.id, index.shardGenerations]),
  );
  await deps.submit({ kind: "finish-deletion", uuid: deletion.uuid, shardGenerations });
}

async function writeWithout(
  deps: SnapshotDeps,
  loaded: LoadedRepository,
  gone: ReadonlySet<string>,
): Promise<{ readonly data: RepositoryData; readonly stale: readonly string[] }> {
  const { repository, data, expected } = loaded;
  const { compression } = repository.settings;
  const generations = new Map<string, Map<number, string | null>>();
  const stale: string[] = [];
  for (const index of data.indices.filter((one) => isPartlyGone(one, gone))) {
    const changed = new Map<number, string | null>();
    for (const [shard, generation] of index.shardGenerations.entries()) {
      const folder = shardFolder(index, shard);
      const newId = (): string => newUuid(deps.random);
      const prune = { folder, generation, gone, compression, newId };
      const pruned = await pruneShard(repository.store, prune);
      changed.set(shard, pruned.generation);
      stale.push(...pruned.stale);
    }
    generations.set(index.id, changed);
  }
  const next = withoutSnapshots(data, gone, generations);
  const generation = await writeNewData(deps, loaded, next);
  await deps.submit({
    kind: "set-repository-generation",
    repository: repository.name,
    expected,
    change: { kind: "written", generation },
  });
  return { data: { ...next, generation }, stale };
}

function isPartlyGone({ snapshots }: IndexRecord, gone: ReadonlySet<string>): boolean {
  const left = snapshots.filter((uuid) => !gone.has(uuid)).length;
  return left > 0 && left < snapshots.length;
}

/** An aborted snapshot, or an attempt before this one, may have left blobs in any shard's folder. */
async function removeUnneeded(
  { repository }: LoadedRepository,
  data: RepositoryData,
  { stale, isWhole }: { readonly stale: readonly string[]; readonly isWhole: boolean },
): Promise<void> {
  await repository.store.remove(stale);
  await removeStaleRoot(repository.store, data);
  if (!isWhole || stale.length > 0) await removeStaleShards(repository.store, data);
}
