/**
 * A primary that starts from a snapshot: the files of the shard come out of the repository, and begin a new history. Files that are
 * on disk already, from the index that was closed to be restored, stay. Source: `StoreRecovery.restore`.
 */
import type { RecoverySource } from "@orrery/cluster-state";
import {
  createReplicationTracker,
  learnGlobalCheckpoint,
  noLeases,
  type StoredFile,
} from "@orrery/replication";
import { BlobError } from "@orrery/ports";
import { checkPartitioned } from "@orrery/query";
import {
  blobProblem,
  corrupt,
  isStep,
  readShardFile,
  readShardSnapshot,
  shardFolder,
  type ShardFile,
  type ShardPathType,
} from "@orrery/repository";
import { defined, greatest, newUuid, OperationError } from "@orrery/stdx";
import { engineOptions } from "../copy/engine-options.ts";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { isCorruption } from "../engine/failure.ts";
import { flush } from "../engine/flush.ts";
import { fillGaps, openRecoveredEngine } from "../engine/open.ts";
import {
  checkWhole,
  isDescription,
  isManifest,
  joined,
  partsFor,
} from "../snapshot/commit-files.ts";
import type { OpenedRepository } from "../snapshot/repositories.ts";
import { decodeCommit, filesOf, listCommits, type Commit } from "../store/commit.ts";
import { CorruptStoreError } from "../store/corruption.ts";
import { fileChecksum } from "../store/file-checksum.ts";
import { noteFiles } from "./progress.ts";
import { enterStage } from "./stages.ts";
import { beginWith, checkOpen, saveShardState, startAsPrimary } from "./store-recovery.ts";

export type SnapshotSource = Extract<RecoverySource, { readonly type: "SNAPSHOT" }>;

export async function recoverFromSnapshot(copy: ShardCopy, source: SnapshotSource): Promise<void> {
  // Settings that came with the restore may not go with the mapping.
  const { name, mapping, settings } = copy.service.metadata;
  checkPartitioned(name, { json: mapping }, settings);
  enterStage(copy, "INDEX");
  copy.worker.disk.remove(copy.paths.state);
  const commit = await bring(copy, source);
  checkOpen(copy);
  const request = { primaryTerm: copy.primaryTerm, counters: copy.counters };
  copy.leases = noLeases;
  copy.tracker = learnGlobalCheckpoint(
    createReplicationTracker(copy.allocationId, -1),
    commit.localCheckpoint,
  );
  const engine = openRecoveredEngine(engineOptions(copy), request, commit);
  copy.opening = engine;
  await engine.translog.sync();
  await beginWith(copy, commit);
  enterStage(copy, "VERIFY_INDEX");
  enterStage(copy, "TRANSLOG");
  copy.recovery.operationsTotal = 0;
  copy.recovery.operationsTotalOnStart = 0;
  fillGaps(engine, copy.primaryTerm);
  await engine.translog.sync();
  await flush(engine, { force: false, waitIfOngoing: true, isInternal: true });
  await saveShardState(copy);
  enterStage(copy, "FINALIZE");
  startAsPrimary(copy, engine);
}

/** What the snapshot's commit is here: its files on disk, a history and a translog of its own. */
async function bring(copy: ShardCopy, source: SnapshotSource): Promise<Commit> {
  const { worker, paths } = copy;
  try {
    const repository = worker.repositories.named(worker.state, source.repository);
    const commit = await bringFiles(repository, copy, source);
    const generation =
      Math.max(commit.generation, greatest(listCommits(worker.disk, paths.index))) + 1;
    return {
      ...commit,
      generation,
      historyUuid: newUuid(worker.random),
      translogUuid: newUuid(worker.random),
      translogGeneration: 1,
      maxUnsafeAutoIdMs: -1,
      leases: noLeases,
    };
  } catch (error) {
    // Damage in the repository says nothing about this node's disk.
    if (error instanceof BlobError || error instanceof CorruptStoreError) throw failed(error);
    if (error instanceof OperationError && isCorruption(error.problem)) throw failed(error);
    throw error;
  }

  function failed(error: unknown): OperationError {
    const { type, reason } =
      error instanceof CorruptStoreError
        ? { type: "corrupt_index_exception", reason: error.message }
        : blobProblem(error);
    const { repository, snapshot, snapshotUuid } = source;
    return new OperationError({
      type: "index_shard_restore_failed_exception",
      reason: `failed to restore snapshot [${repository}:${snapshot}/${snapshotUuid}]: ${type}: ${reason}`,
      status: 500,
    });
  }
}

async function bringFiles(
  repository: OpenedRepository,
  copy: ShardCopy,
  source: SnapshotSource,
): Promise<Commit> {
  const { worker, paths } = copy;
  const index = {
    name: source.index,
    id: defined(source.indexId, "the id of an index in its repository"),
    pathType: (source.pathType ?? "FIXED") as ShardPathType,
  };
  const folder = shardFolder(index, copy.shard);
  const snapshot = await readShardSnapshot(repository.store, folder, source.snapshotUuid);
  const read = (file: ShardFile): Promise<Uint8Array> =>
    readShardFile(repository.store, folder, file, async (bytes) => {
      checkOpen(copy);
      const beforeMs = repository.restorePacer.throttledMs;
      await repository.restorePacer.take(bytes);
      copy.recovery.targetThrottleMs += repository.restorePacer.throttledMs - beforeMs;
    });
  noteFiles(copy.recovery, snapshot.files, false);
  const manifest = snapshot.files.find(isManifest);
  if (manifest === undefined) throw corrupt(folder, "no file of the snapshot is its manifest");
  // The manifest of another commit is intact, too.
  const manifestBytes = await read(manifest);
  checkWhole(manifest, manifestBytes);
  const commit = decodeCommit(manifestBytes, manifest.name);
  note(copy, [manifest]);
  const files = filesOf(commit);
  const odd = files.find(({ name }) => !isStep(name));
  if (odd !== undefined) throw corrupt(manifest.name, `[${odd.name}] is no name of a file`);
  for (const stored of files) {
    const parts = partsFor(stored, snapshot.files);
    if (isHere(copy, stored)) {
      noteFiles(copy.recovery, parts, true);
      continue;
    }
    const pieces: Uint8Array[] = [];
    for (const part of parts) pieces.push(await read(part));
    checkOpen(copy);
    worker.disk.write(pathOf(copy, stored), joined(stored, pieces));
    note(copy, parts);
  }
  for (const file of snapshot.files.filter(isDescription)) {
    checkWhole(file, await read(file));
    note(copy, [file]);
  }
  // Those that were here too: an attempt before this one may have written them, and have failed before it synced.
  await worker.disk.sync(files.map((stored) => pathOf(copy, stored)));
  if (files.length > 0) await worker.disk.syncFolder(paths.index);
  return commit;
}

/** They are here. */
function note(copy: ShardCopy, files: readonly ShardFile[]): void {
  for (const { name } of files) {
    const progress = copy.recovery.files.get(name);
    if (progress !== undefined) progress.recoveredBytes = progress.sizeBytes;
  }
}

function pathOf({ paths }: ShardCopy, { name }: StoredFile): string {
  return `${paths.index}/${name}`;
}

function isHere(copy: ShardCopy, stored: StoredFile): boolean {
  const { disk } = copy.worker;
  const { sizeBytes, checksum } = stored;
  const path = pathOf(copy, stored);
  if (!disk.exists(path) || disk.sizeBytes(path) !== sizeBytes) return false;
  return fileChecksum(disk.read(path)) === checksum;
}
