/**
 * Flush: makes a commit, the state that a restart opens, and trims the translog before it (`InternalEngine.flush`).
 * Operations go on meanwhile; they belong to the next commit.
 */
import type { Disk } from "@orrery/ports";
import type { StoredFile } from "@orrery/replication";
import { encodeLiveDocs } from "@orrery/segment";
import { bytesToBase64Url, greatest, OperationError } from "@orrery/stdx";
import { fileChecksum } from "../store/file-checksum.ts";
import {
  filesOf,
  listCommits,
  removeUnneeded,
  writeCommit,
  type Commit,
  type CommitSegment,
} from "../store/commit.ts";
import { commitBefore, keptCommits, safeCommit } from "./commits.ts";
import { assertOpen, guarded, guardedAsync } from "./failure.ts";
import { keepsSource } from "./history.ts";
import { closeBatch } from "./operations.ts";
import { refresh } from "./refresh.ts";
import { retainFrom } from "./retention.ts";
import { liveCount } from "./segments.ts";
import type { EngineState, SegmentEntry } from "./types.ts";

export interface FlushRequest {
  /** Commits although nothing has changed since the last commit. */
  readonly force: boolean;
  /**
   * Waits for a flush under way and then flushes; otherwise a flush under way is a
   * `flush_not_allowed_engine_exception`.
   */
  readonly waitIfOngoing: boolean;
  /** Part of a recovery, a resync or a force merge, which `_stats` does not count. */
  readonly isInternal?: boolean;
}

/**
 * Flushes; resolves when the commit is durable. Without uncommitted changes the flush ends at once, unless `force` is
 * set. A flush that is running is awaited.
 * @throws OperationError `flush_not_allowed_engine_exception`: a flush is running and `waitIfOngoing` is false. Also
 *   `already_closed_exception`, and the failure of the engine.
 */
export async function flush(state: EngineState, request: FlushRequest): Promise<void> {
  assertOpen(state);
  if (state.flushing !== undefined) {
    if (!request.waitIfOngoing) {
      const reason = "already flushing...";
      throw new OperationError({ type: "flush_not_allowed_engine_exception", reason, status: 503 });
    }
    await state.flushing.catch(() => undefined);
    return flush(state, request);
  }
  const startedMs = state.options.clock.monotonicMs();
  if (!request.force && !hasUncommitted(state)) return countFlush(state, request, startedMs);
  state.isCommitting = true;
  const running = guardedAsync(state, () => commitNow(state)).finally(() => {
    state.isCommitting = false;
  });
  state.flushing = running;
  try {
    await running;
    dropOldCommits(state);
    countFlush(state, request, startedMs);
  } finally {
    state.flushing = undefined;
  }
}

/** A flush that found nothing to commit counts, too. */
function countFlush(
  { counters, options }: EngineState,
  { isInternal }: FlushRequest,
  startedMs: number,
): void {
  if (isInternal === true) return;
  counters.flushTotal += 1;
  counters.flushMs += options.clock.monotonicMs() - startedMs;
}

/** Whether the last commit lacks an operation, or a segment that was made since, such as by a merge. */
export function hasUncommitted(state: EngineState): boolean {
  const last = state.commits.at(-1);
  if (last === undefined) return true;
  return (
    state.tracker.maxSeqNo > last.maxSeqNo ||
    state.tracker.processedCheckpoint > last.localCheckpoint ||
    state.segments.some((segment) => segment.committed === undefined)
  );
}

/**
 * Number and size of the operations in the translog that the last commit does not cover: a restart would replay them.
 */
export function uncommitted(state: EngineState): { operations: number; sizeBytes: number } {
  return state.translog.statsFrom(state.commits.at(-1)?.translogGeneration ?? 0);
}

/**
 * In the product the first commit of a new store has generation 1, and binding its translog to it makes generation 2.
 * Numbers here are the same.
 */
const EMPTY_STORE = 1;

/**
 * Makes the commit. Everything up to the first await is one turn, so that segments, sequence numbers and translog
 * generation belong together:
 *
 * 1. Put the running batch into the translog.
 * 2. Refresh, so that every processed operation is in a segment.
 * 3. Roll the translog: operations that the commit lacks are in the new generation. Rolled-back operations hold the
 *    commit's generation back to where they begin (INV-REPL-9).
 * 4. Write segments and live docs that no commit has.
 *
 * Then, each durable before the next:
 *
 * 5. The translog: the commit names its generation, and opening fails if that is missing.
 * 6. The segment files, which the commit names with their checksums.
 * 7. The commit itself, by a rename.
 *
 * Only then do the segments count as committed, and may the translog be trimmed (`dropOldCommits`).
 */
async function commitNow(state: EngineState): Promise<void> {
  const { disk, paths } = state.options;
  closeBatch(state);
  refresh(state, "internal");
  state.translog.roll(state.primaryTerm);
  const generation = Math.max(EMPTY_STORE, greatest(listCommits(disk, paths.index))) + 1;
  const writes = state.segments.map((segment) =>
    writeSegment(disk, paths.index, segment, generation),
  );
  const commit: Commit = {
    generation,
    id: bytesToBase64Url(state.options.random.bytes(16)),
    segments: writes.map(({ committed }) => committed),
    nextSegment: state.nextSegment,
    maxSeqNo: state.tracker.maxSeqNo,
    localCheckpoint: state.tracker.processedCheckpoint,
    minRetainedSeqNo: state.minRetainedSeqNo,
    historyUuid: state.historyUuid,
    ...(state.copiedHistoryUuid === undefined
      ? {}
      : { copiedHistoryUuid: state.copiedHistoryUuid }),
    translogUuid: state.translog.uuid,
    translogGeneration: state.rolledBack?.generation ?? state.translog.generation,
    maxUnsafeAutoIdMs: state.maxUnsafeAutoIdMs,
    leases: state.options.leases(),
  };
  const written = new Map(writes.map((write) => [write.segment.name, write]));
  await state.translog.sync();
  await disk.sync(writes.flatMap(({ paths: files }) => files));
  // The folder of a closed engine may belong to another copy.
  if (state.isClosed) return;
  await writeCommit(disk, paths.index, commit, () => state.isClosed);
  if (state.isClosed) return;
  const adopt = (segment: SegmentEntry): SegmentEntry => {
    const write = written.get(segment.name);
    if (write === undefined) return segment;
    return { ...segment, committed: write.committed, committedLive: write.segment.live };
  };
  // Refreshes and merges may have changed the list meanwhile; identity of `visible` and `segments` says that no
  // refresh is due.
  const isVisibleCurrent = state.visible === state.segments;
  state.segments = state.segments.map(adopt);
  state.visible = isVisibleCurrent ? state.segments : state.visible.map(adopt);
  state.commits = [...state.commits, commit];
}

/**
 * Removes commits before the safe commit, files that no kept commit names, and the translog before them. Called after
 * each flush and when the global checkpoint has risen.
 *
 * The commit at which the retained history begins stays where only the translog holds the history (`keepsSource`),
 * and the translog from its generation on.
 */
export function dropOldCommits(state: EngineState): void {
  const { disk, paths, globalCheckpoint } = state.options;
  // No commit names the files of a commit that is being written: they would be removed.
  if (state.isClosed || state.isCommitting) return;
  guarded(state, () => {
    const safe = safeCommit(state.commits, globalCheckpoint());
    const isInSegments = keepsSource(state);
    const oldest = isInSegments ? safe : commitBefore(state.commits, retainFrom(state));
    const kept = keptCommits(state.commits, oldest, state.pinnedCommits);
    if (kept.length < state.commits.length || kept.length === 1) {
      state.commits = kept;
      removeUnneeded(disk, paths.index, kept);
    }
    // A roll-back opens the safe commit and replays the translog from its generation on.
    const needed = isInSegments ? safe : kept[0];
    if (needed !== undefined) state.translog.trimBefore(needed.translogGeneration);
  });
}

/** A segment in the commit that is being made. */
interface SegmentWrite {
  readonly segment: SegmentEntry;
  readonly committed: CommitSegment;
  /** Files that this commit has written, to be synced. */
  readonly paths: readonly string[];
}

/**
 * Writes the files of a segment that the last commit lacks. Segment files are written once; live docs get a file for
 * each commit that changes them, named by its generation, so that older commits keep theirs.
 */
function writeSegment(
  disk: Disk,
  folder: string,
  segment: SegmentEntry,
  generation: number,
): SegmentWrite {
  const { reader, live, committed } = segment;
  if (committed !== undefined && live === segment.committedLive) {
    return { segment, committed, paths: [] };
  }
  const paths: string[] = [];
  let files = committed?.files;
  if (files === undefined) {
    files = reader.files.map(({ name, bytes }) => {
      disk.write(`${folder}/${name}`, bytes);
      paths.push(`${folder}/${name}`);
      return storedFile(name, bytes);
    });
  }
  let liveFile: StoredFile | undefined;
  if (live !== undefined) {
    const name = `${segment.name}_${generation.toString(36)}.liv`;
    const bytes = encodeLiveDocs(live);
    disk.write(`${folder}/${name}`, bytes);
    paths.push(`${folder}/${name}`);
    liveFile = storedFile(name, bytes);
  }
  const { name } = segment;
  const next = { name, files, live: liveFile, maxDoc: reader.maxDoc, liveDocs: liveCount(segment) };
  return { segment, committed: next, paths };
}

function storedFile(name: string, bytes: Uint8Array): StoredFile {
  return { name, sizeBytes: bytes.length, checksum: fileChecksum(bytes) };
}

/** Size of the store in bytes: the files of the last commit, and segments that are only in memory. */
export function storeSize(state: EngineState): number {
  const last = state.commits.at(-1);
  const committed =
    last === undefined ? 0 : filesOf(last).reduce((sum, file) => sum + file.sizeBytes, 0);
  const inMemory = state.segments.reduce(
    (sum, { committed: files, reader }) => (files === undefined ? sum + reader.sizeBytes : sum),
    0,
  );
  return committed + inMemory;
}
