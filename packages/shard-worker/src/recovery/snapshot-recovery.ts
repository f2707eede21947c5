/**
 * Recovery of a primary from a snapshot (`StoreRecovery.restore`): the files of the shard are read from the
 * repository and begin a new history. Equal files that are on disk already, of the closed index that is being
 * restored, are not read again.
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
import { installCommit, checkOpen, saveShardState, startAsPrimary } from "./store-recovery.ts";

export type SnapshotSource = Extract<RecoverySource, { readonly type: "SNAPSHOT" }>;

/**
 * Restores the copy and starts it as primary.
 *
 * 1. Remove the shard's state file: until the end no allocation id claims these files.
 * 2. Restore the files, and make the snapshot's commit the only one of the folder, with new uuids of history and
 *    translog. Copies of the old history cannot recover by operations from it.
 * 3. Fill gaps in the sequence numbers: no copy has the missing operations any more.
 * 4. Commit, write the state file, start as primary.
 */
export async function recoverFromSnapshot(copy: ShardCopy, source: SnapshotSource): Promise<void> {
  // The restore request may have changed settings that the mapping contradicts.
  const { name, mapping, settings } = copy.service.metadata;
  checkPartitioned(name, { json: mapping }, settings);
  enterStage(copy, "INDEX");
  copy.worker.disk.remove(copy.paths.state);
  const commit = await restoreCommit(copy, source);
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
  await installCommit(copy, commit);
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

/**
 * The snapshot's commit as this copy's own, its files on disk. Damage in the repository is reported as a failure of
 * the restore, not as corruption: the node's disk is not at fault, and its folder must not be marked.
 */
async function restoreCommit(copy: ShardCopy, source: SnapshotSource): Promise<Commit> {
  const { worker, paths } = copy;
  try {
    const repository = worker.repositories.named(worker.state, source.repository);
    const commit = await restoreFiles(repository, copy, source);
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

/**
 * Reads manifest and missing files, each verified against the snapshot's list and against the manifest. Reading is
 * paced per repository, and ends when the copy is closed.
 */
async function restoreFiles(
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
  // Compared as a whole: the manifest of another commit would be intact by its own checksum.
  const manifestBytes = await read(manifest);
  checkWhole(manifest, manifestBytes);
  const commit = decodeCommit(manifestBytes, manifest.name);
  noteRestored(copy, [manifest]);
  const files = filesOf(commit);
  // A name from the repository becomes a path on this disk.
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
    noteRestored(copy, parts);
  }
  for (const file of snapshot.files.filter(isDescription)) {
    checkWhole(file, await read(file));
    noteRestored(copy, [file]);
  }
  // Files that were here are synced, too: an earlier attempt may have written them and failed before its sync.
  await worker.disk.sync(files.map((stored) => pathOf(copy, stored)));
  if (files.length > 0) await worker.disk.syncFolder(paths.index);
  return commit;
}

/** Counts the files as recovered. */
function noteRestored(copy: ShardCopy, files: readonly ShardFile[]): void {
  for (const { name } of files) {
    const progress = copy.recovery.files.get(name);
    if (progress !== undefined) progress.recoveredBytes = progress.sizeBytes;
  }
}

function pathOf({ paths }: ShardCopy, { name }: StoredFile): string {
  return `${paths.index}/${name}`;
}

/** Whether the file is on disk with the length and checksum that the commit gives. */
function isHere(copy: ShardCopy, stored: StoredFile): boolean {
  const { disk } = copy.worker;
  const { sizeBytes, checksum } = stored;
  const path = pathOf(copy, stored);
  if (!disk.exists(path) || disk.sizeBytes(path) !== sizeBytes) return false;
  return fileChecksum(disk.read(path)) === checksum;
}
