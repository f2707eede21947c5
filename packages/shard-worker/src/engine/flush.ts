/**
 * Makes a commit: what is in memory goes to files, the files are synced, a manifest names them, the translog before it
 * is trimmed. Writes go on meanwhile; they belong to the next commit.
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
  readonly force: boolean;
  readonly waitIfOngoing: boolean;
  /** Part of a recovery or a merge: not a flush that statistics count. */
  readonly isInternal?: boolean;
}

/** Ends when the commit is durable; at once when there is nothing to commit and it is not forced. */
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

/** One that found nothing to do counts too. */
function countFlush(
  { counters, options }: EngineState,
  { isInternal }: FlushRequest,
  startedMs: number,
): void {
  if (isInternal === true) return;
  counters.flushTotal += 1;
  counters.flushMs += options.clock.monotonicMs() - startedMs;
}

export function hasUncommitted(state: EngineState): boolean {
  const last = state.commits.at(-1);
  if (last === undefined) return true;
  return (
    state.tracker.maxSeqNo > last.maxSeqNo ||
    state.tracker.processedCheckpoint > last.localCheckpoint ||
    state.segments.some((segment) => segment.committed === undefined)
  );
}

/** Bytes and operations that are only in the translog. */
export function uncommitted(state: EngineState): { operations: number; sizeBytes: number } {
  return state.translog.statsFrom(state.commits.at(-1)?.translogGeneration ?? 0);
}

/** The generation that a new store has in the product, before its translog is bound to it by the first commit. */
const EMPTY_STORE = 1;

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
    translogGeneration: state.held?.generation ?? state.translog.generation,
    maxUnsafeAutoIdMs: state.maxUnsafeAutoIdMs,
    leases: state.options.leases(),
  };
  const written = new Map(writes.map((write) => [write.segment.name, write]));
  await state.translog.sync();
  await disk.sync(writes.flatMap(({ paths: files }) => files));
  if (state.isClosed) return;
  await writeCommit(disk, paths.index, commit, () => state.isClosed);
  if (state.isClosed) return;
  const adopt = (segment: SegmentEntry): SegmentEntry => {
    const write = written.get(segment.name);
    if (write === undefined) return segment;
    return { ...segment, committed: write.committed, committedLive: write.segment.live };
  };
  const isVisibleCurrent = state.visible === state.segments;
  state.segments = state.segments.map(adopt);
  state.visible = isVisibleCurrent ? state.segments : state.visible.map(adopt);
  state.commits = [...state.commits, commit];
}

/**
 * Frees the files and the translog that no kept commit needs. To be called again when the global checkpoint has moved. Where the
 * translog alone has the history, the commit at which what is retained begins stays, and the translog with it.
 */
export function dropOldCommits(state: EngineState): void {
  const { disk, paths, globalCheckpoint } = state.options;
  // The files of a commit that is being written are named by no commit yet.
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
    const needed = isInSegments ? safe : kept[0];
    if (needed !== undefined) state.translog.trimBefore(needed.translogGeneration);
  });
}

interface SegmentWrite {
  readonly segment: SegmentEntry;
  readonly committed: CommitSegment;
  /** Files that were written now. */
  readonly paths: readonly string[];
}

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

/** Bytes of the last commit's files. */
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
