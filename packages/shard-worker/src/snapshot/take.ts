/**
 * The snapshot of one shard (`SnapshotShardsService`): flush, pin the commit, write its files to the repository.
 *
 * The elected cluster manager requests it, and again after a change of the manager: a request joins a snapshot under
 * way, and repeats the result of one that has ended. INV-SNAP-4: a shard is written by one snapshot at a time, since
 * the cluster manager requests one at a time.
 */
import {
  javaText,
  isJsonObject,
  OperationError,
  newUuid,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import { createCancellation, type CancellationSource } from "@orrery/ports";
import {
  blobProblem,
  shardFolder,
  writeShardSnapshot,
  type RepositoryDefinition,
  type RepositoryIndex,
  type SourceFile,
} from "@orrery/repository";
import { engineOf, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { guarded } from "../engine/failure.ts";
import { flush } from "../engine/flush.ts";
import type { EngineState } from "../engine/types.ts";
import type { Commit } from "../store/commit.ts";
import { filesToKeep } from "./commit-files.ts";
import type { OpenedRepository } from "./repositories.ts";

/**
 * The parameters of a request; `baseGeneration` is the shard's generation that the new one adds to, `null` for the
 * first.
 */
export interface ShardSnapshotRequest {
  readonly repository: RepositoryDefinition;
  readonly snapshot: { readonly name: string; readonly uuid: string };
  readonly index: RepositoryIndex;
  readonly baseGeneration: string | null;
}

/** The stage of a shard's snapshot (`IndexShardSnapshotStatus.Stage`). */
export type ShardSnapshotStage = "INIT" | "STARTED" | "FINALIZE" | "DONE" | "FAILURE";

/** One snapshot of one shard, while it runs and for a while after. Times are wall-clock. */
export interface ShardSnapshotRun {
  readonly cancellation: CancellationSource;
  readonly startTimeMs: number;
  stage: ShardSnapshotStage;
  endTimeMs: number | undefined;
  totalFiles: number;
  totalBytes: number;
  incrementalFiles: number;
  incrementalBytes: number;
  processedFiles: number;
  processedBytes: number;
  /** The shard's new generation. */
  readonly done: Promise<string>;
}

/** Runs that are remembered, the newest. */
const REMEMBERED = 256;

/**
 * Takes the snapshot of a shard; resolves with its new generation when the repository has it. A repeated request gets
 * the result of the known snapshot, unless that one failed.
 */
export async function snapshotShard(copy: ShardCopy, parameters: JsonObject): Promise<JsonObject> {
  const request = parameters as unknown as ShardSnapshotRequest;
  const run = runOf(copy, request);
  return { generation: await run.done };
}

function keyOf(copy: ShardCopy, uuid: string): string {
  return `${uuid}/${copy.key}`;
}

/** The run of this snapshot: the one that is known, unless it failed, or a new one. */
function runOf(copy: ShardCopy, request: ShardSnapshotRequest): ShardSnapshotRun {
  const { snapshots, clock } = copy.worker;
  const key = keyOf(copy, request.snapshot.uuid);
  const known = snapshots.get(key);
  if (known !== undefined && known.stage !== "FAILURE") return known;
  checkCopy(copy);
  const run: ShardSnapshotRun = {
    cancellation: createCancellation(),
    startTimeMs: clock.nowMs(),
    stage: "INIT",
    endTimeMs: undefined,
    totalFiles: 0,
    totalBytes: 0,
    incrementalFiles: 0,
    incrementalBytes: 0,
    processedFiles: 0,
    processedBytes: 0,
    done: Promise.resolve("").then(() => take(copy, request, run)),
  };
  snapshots.delete(key);
  snapshots.set(key, run);
  for (const [old, { endTimeMs }] of snapshots) {
    if (snapshots.size <= REMEMBERED) break;
    if (endTimeMs !== undefined) snapshots.delete(old);
  }
  return run;
}

/** Rejects a copy that is not a started primary, retryable: the state that makes it one may not be applied here yet. */
function checkCopy(copy: ShardCopy): void {
  const { routing, state } = copy;
  const notYet = (reason: string): OperationError =>
    new OperationError({ ...refused(copy, reason).problem, isRetryable: true });
  if (!routing.primary) throw notYet("snapshot should be performed only on primary");
  if (routing.state === "RELOCATING") throw notYet("cannot snapshot while relocating");
  if (state !== "STARTED" && state !== "POST_RECOVERY") {
    throw notYet("shard didn't fully recover yet");
  }
}

function refused(copy: ShardCopy, reason: string): OperationError {
  const { index, shard, indexUuid } = copy;
  return new OperationError({
    type: "index_shard_snapshot_failed_exception",
    reason,
    status: 500,
    metadata: { index, shard: String(shard), index_uuid: indexUuid },
  });
}

/** Runs in a slot; the failure is the cluster manager's to record. */
async function take(
  copy: ShardCopy,
  request: ShardSnapshotRequest,
  run: ShardSnapshotRun,
): Promise<string> {
  const { worker } = copy;
  const leave = await worker.snapshotSlots.enter();
  try {
    const repository = worker.repositories.open(request.repository);
    const generation = await takeInto(repository, copy, request, run);
    run.stage = "DONE";
    return generation;
  } catch (error) {
    run.stage = "FAILURE";
    const problem: Problem = blobProblem(error);
    worker.log("warn", `${shardName(copy)} snapshot failed: ${problem.type}: ${problem.reason}`);
    throw new OperationError({
      type: "index_shard_snapshot_failed_exception",
      reason: run.cancellation.isCancelled ? "aborted" : `${problem.type}: ${problem.reason}`,
      status: 500,
    });
  } finally {
    leave();
    run.endTimeMs = worker.clock.nowMs();
  }
}

async function takeInto(
  repository: OpenedRepository,
  copy: ShardCopy,
  request: ShardSnapshotRequest,
  run: ShardSnapshotRun,
): Promise<string> {
  const { worker } = copy;
  if (run.cancellation.isCancelled) throw refused(copy, run.cancellation.reason);
  const engine = engineOf(copy);
  await flush(engine, { force: false, waitIfOngoing: true });
  const commit = engine.commits.at(-1);
  if (commit === undefined) throw refused(copy, "the shard has no commit");
  const release = pin(engine, commit);
  const check = (): void => {
    if (copy.state === "CLOSED") run.cancellation.cancel("shard is closing, aborting");
    if (run.cancellation.isCancelled) throw refused(copy, run.cancellation.reason);
  };
  try {
    const files = guarded(engine, () =>
      filesToKeep(worker.disk, copy.paths.index, commit).map((file) => guardedFile(engine, file)),
    );
    return await writeShardSnapshot(repository.store, {
      folder: shardFolder(request.index, copy.shard),
      baseGeneration: request.baseGeneration,
      snapshot: request.snapshot,
      files,
      partBytes: repository.settings.chunkBytes,
      compression: repository.settings.compression,
      newId: () => newUuid(worker.random),
      nowMs: () => worker.clock.nowMs(),
      startTimeMs: run.startTimeMs,
      pace: async (bytes) => {
        check();
        await repository.snapshotPacer.take(bytes);
        check();
      },
      progress: {
        planned: (stats) => Object.assign(run, { ...stats, stage: "STARTED" }),
        written: ({ sizeBytes }) => {
          run.processedFiles += 1;
          run.processedBytes += sizeBytes;
          if (run.processedFiles === run.incrementalFiles) run.stage = "FINALIZE";
        },
      },
    });
  } finally {
    release();
  }
}

/** Pins the commit's files until the returned function is called. */
function pin(engine: EngineState, { generation }: Commit): () => void {
  const { pinnedCommits } = engine;
  pinnedCommits.set(generation, (pinnedCommits.get(generation) ?? 0) + 1);
  return () => {
    const left = (pinnedCommits.get(generation) ?? 0) - 1;
    if (left > 0) pinnedCommits.set(generation, left);
    else pinnedCommits.delete(generation);
  };
}

/** A file that cannot be read fails the copy, not only the snapshot. */
function guardedFile(engine: EngineState, file: SourceFile): SourceFile {
  return { ...file, read: () => guarded(engine, file.read) };
}

/** Aborts a shard's snapshot; resolves when the snapshot writes no more. No effect for an unknown one. */
export async function abortShardSnapshot(
  copy: ShardCopy,
  parameters: JsonObject,
): Promise<JsonObject> {
  const run = copy.worker.snapshots.get(keyOf(copy, javaText(parameters["uuid"])));
  if (run === undefined) return {};
  run.cancellation.cancel("aborted");
  await run.done.catch(() => undefined);
  return {};
}

/** The progress of a shard's snapshot; an empty object when this worker does not know it. */
export async function shardSnapshotStatus(
  copy: ShardCopy,
  parameters: JsonObject,
): Promise<JsonObject> {
  const { snapshots, clock } = copy.worker;
  const run = snapshots.get(keyOf(copy, javaText(parameters["uuid"])));
  if (run === undefined || !isJsonObject(parameters)) return {};
  const { stage, startTimeMs, endTimeMs } = run;
  return {
    stage,
    startTimeMs,
    timeMs: endTimeMs === undefined ? 0 : Math.max(0, endTimeMs - startTimeMs),
    nowMs: clock.nowMs(),
    totalFiles: run.totalFiles,
    totalBytes: run.totalBytes,
    incrementalFiles: run.incrementalFiles,
    incrementalBytes: run.incrementalBytes,
    processedFiles: run.processedFiles,
    processedBytes: run.processedBytes,
  };
}
