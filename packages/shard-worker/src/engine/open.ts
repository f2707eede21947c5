/**
 * Opens an engine on the contents of a disk: an empty store, a commit with its translog, or a commit that a recovery
 * has brought (`InternalEngine`, its constructor and `recoverFromTranslog`). The caller replays the operations that
 * are returned, and puts the engine into use.
 */
import type { Disk } from "@orrery/ports";
import { createLocalCheckpointTracker, NO_OPS_PERFORMED } from "@orrery/replication";
import {
  createSegmentWriter,
  decodeLiveDocs,
  openSegment,
  type StoredDocument,
} from "@orrery/segment";
import { assert, greatest, newUuid } from "@orrery/stdx";
import {
  filesOf,
  listCommits,
  readCommit,
  type Commit,
  type CommitSegment,
} from "../store/commit.ts";
import { CorruptStoreError } from "../store/corruption.ts";
import { readChecked } from "../store/read-checked.ts";
import type { ShardPaths } from "../store/layout.ts";
import { listGenerations } from "../translog/generation.ts";
import { createRecordWriter, type Operation } from "../translog/record.ts";
import { createTranslog, openTranslog } from "../translog/translog.ts";
import { createCounters, type EngineCounters } from "./counters.ts";
import { applyNoop, applyOperation, closeBatch, type ParseOperation } from "./operations.ts";
import type { EngineOptions, EngineState, RolledBackHistory, SegmentEntry } from "./types.ts";

/** Parameters under which an engine is opened. */
export interface OpenRequest {
  /** Term of the copy; the new translog generation has it in its header. */
  readonly primaryTerm: number;
  /** Counters to continue after a roll-back; new ones when absent. */
  readonly counters?: EngineCounters;
  /** Names of segments below this number may be on disk, of commits that are dropped. */
  readonly nextSegment?: number;
  /** Operations above this number are rolled back, although the translog has them; absent: all are replayed. */
  readonly upTo?: number;
}

/** An engine that is open on a commit and has not replayed the translog yet. */
export interface OpenedEngine {
  readonly engine: EngineState;
  /**
   * Operations of the translog above the commit's local checkpoint, in the order in which they were appended, up to
   * `upTo`. The commit's segments may have some of them.
   */
  readonly toReplay: readonly Operation[];
  /** Operations above `upTo` (INV-REPL-9); `undefined`: none. */
  readonly rolledBack: RolledBackHistory | undefined;
  /** The highest global checkpoint of the translog's marks; -2 without a mark. */
  readonly globalCheckpoint: number;
  /** Damage that did not prevent the opening, for the log. */
  readonly damage: readonly string[];
}

/** Creates an engine without history. Everything in the copy's folders is removed. */
export function createEmptyEngine(options: EngineOptions, request: OpenRequest): EngineState {
  options.disk.remove(options.paths.index);
  options.disk.remove(options.paths.translog);
  return assemble(options, request, {
    commits: [],
    commit: undefined,
    segments: [],
    translog: { uuid: newUuid(options.random), generation: 1, kept: [], found: [] },
  });
}

/**
 * Opens the newest of the given commits; files of newer ones are ignored, and dropped by the next flush. `commits` is
 * ascending.
 *
 * The translog is read from the oldest commit's generation on, which must be complete, and replayed from the newest
 * commit's. A new generation follows the last: older files are never appended to.
 * @throws CorruptStoreError, CorruptFileError Damaged or missing files; `OperationError` for a segment with a part of
 *   an unknown kind.
 */
export function openEngine(
  options: EngineOptions,
  request: OpenRequest,
  commits: readonly Commit[],
): OpenedEngine {
  const { disk, paths } = options;
  const commit = commits.at(-1);
  if (commit === undefined) {
    throw new CorruptStoreError(
      "corrupt_index_exception",
      `no segments_N file found in [${paths.index}]`,
    );
  }
  const segments = commit.segments.map((segment) => loadSegment(options, segment));
  const oldest = commits[0] ?? commit;
  const found = openTranslog(disk, paths.translog, {
    uuid: commit.translogUuid,
    fromGeneration: oldest.translogGeneration,
    replayFrom: commit.translogGeneration,
    isRequired: true,
  });
  const { upTo = Infinity } = request;
  const isUncommitted = ({ seqNo }: Operation): boolean => seqNo > commit.localCheckpoint;
  const toReplay = found.operations.filter((one) => isUncommitted(one) && one.seqNo <= upTo);
  const above = found.operations.filter(({ seqNo }) => seqNo > upTo);
  const engine = assemble(options, request, {
    commits,
    commit,
    segments,
    translog: {
      uuid: commit.translogUuid,
      generation: found.nextGeneration,
      kept: found.kept,
      found: toReplay.map(({ seqNo }) => seqNo),
    },
  });
  const rolledBack =
    above.length === 0
      ? undefined
      : { generation: commit.translogGeneration, operations: newestTerms(above) };
  const { globalCheckpoint, damage } = found;
  return { engine, toReplay, rolledBack, globalCheckpoint, damage };
}

/**
 * Opens a commit that a recovery has brought, with a new empty translog; an older translog in the folder is removed.
 */
export function openRecoveredEngine(
  options: EngineOptions,
  request: OpenRequest,
  commit: Commit,
): EngineState {
  const segments = commit.segments.map((segment) => loadSegment(options, segment));
  options.disk.remove(options.paths.translog);
  const { translogUuid: uuid, translogGeneration: generation } = commit;
  return assemble(options, request, {
    commits: [commit],
    commit,
    segments,
    translog: { uuid, generation, kept: [], found: [] },
  });
}

/**
 * The newest commit, and older ones that can still be opened, ascending. A crash may bring back the manifest of a
 * commit whose files or translog were removed: it counts as removed.
 * @throws CorruptStoreError The newest commit is damaged.
 */
export function readCommits(disk: Disk, paths: ShardPaths): Commit[] {
  const generations = listCommits(disk, paths.index);
  const newest = generations.at(-1);
  const translogs = new Set(listGenerations(disk, paths.translog));
  const last = Math.max(0, greatest(translogs));
  return generations.flatMap((generation) => {
    if (generation === newest) return [readCommit(disk, paths.index, generation)];
    try {
      const commit = readCommit(disk, paths.index, generation);
      const hasFiles = filesOf(commit).every(({ name }) => disk.exists(`${paths.index}/${name}`));
      // A commit needs every generation from its own to the last.
      let at = commit.translogGeneration;
      while (at <= last && translogs.has(at)) at += 1;
      return hasFiles && at > last ? [commit] : [];
    } catch (error) {
      if (error instanceof CorruptStoreError) return [];
      throw error;
    }
  });
}

/** Replays operations in one turn. Returns how many were applied. */
export function replay(
  engine: EngineState,
  operations: readonly Operation[],
  parse: ParseOperation,
): number {
  const whole = replaySteps(engine, operations, { parse, isTurnOver: () => false }).next();
  assert(whole.done === true, "a replay without turns ends at once");
  return whole.value;
}

/** Parser and pace of a replay; `isTurnOver` is asked before each operation. */
export interface ReplayOptions {
  readonly parse: ParseOperation;
  readonly isTurnOver: () => boolean;
}

/**
 * Replays operations in turns, on an engine that is not in use yet. Operations that the commit's segments have are
 * skipped. Returns the number of operations applied; closing the engine ends the replay.
 */
export function* replaySteps(
  engine: EngineState,
  operations: readonly Operation[],
  { parse, isTurnOver }: ReplayOptions,
): Generator<undefined, number> {
  // The translog does not say which operations are updates: with the highest number as that of an update, each one is
  // looked up.
  for (const { seqNo } of operations) {
    engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, seqNo);
  }
  let count = 0;
  for (const operation of newestTerms(operations)) {
    if (engine.tracker.hasProcessed(operation.seqNo)) continue;
    if (isTurnOver()) yield undefined;
    if (engine.isClosed) return count;
    applyOperation(engine, operation, parse, false);
    count += 1;
  }
  return count;
}

/**
 * Of operations under one number, those of the newest primary term: a rolled-back operation and its replacement may
 * both be in the translog.
 */
function newestTerms(operations: readonly Operation[]): Operation[] {
  const newest = new Map<number, number>();
  for (const { seqNo, primaryTerm } of operations) {
    newest.set(seqNo, Math.max(newest.get(seqNo) ?? 0, primaryTerm));
  }
  return operations.filter(({ seqNo, primaryTerm }) => newest.get(seqNo) === primaryTerm);
}

/**
 * Fills each gap, a sequence number that was assigned but whose operation never arrived, with a no-op under the new
 * term (`InternalEngine.fillSeqNoGaps`). Returns the number of gaps. The no-ops are durable after the next sync of the
 * translog.
 */
export function fillGaps(engine: EngineState, primaryTerm: number): number {
  const gaps = engine.tracker.gaps();
  for (const seqNo of gaps) {
    applyNoop(engine, { seqNo, primaryTerm });
  }
  closeBatch(engine);
  return gaps.length;
}

interface Parts {
  readonly commits: readonly Commit[];
  readonly commit: Commit | undefined;
  readonly segments: readonly SegmentEntry[];
  readonly translog: {
    readonly uuid: string;
    readonly generation: number;
    readonly kept: Parameters<typeof createTranslog>[0]["kept"];
    /** Sequence numbers to replay; durable only after the translog's first sync. */
    readonly found: readonly number[];
  };
}

/**
 * Builds the engine's state. The local checkpoints begin at the commit's; operations above it in the segments are
 * marked as processed and persisted, so that the replay skips them.
 */
function assemble(options: EngineOptions, request: OpenRequest, parts: Parts): EngineState {
  const { commit, segments } = parts;
  const localCheckpoint = commit?.localCheckpoint ?? NO_OPS_PERFORMED;
  const tracker = createLocalCheckpointTracker(localCheckpoint, localCheckpoint);
  const above = operationsAbove(segments, localCheckpoint);
  for (const { seqNo } of above) {
    tracker.markProcessed(seqNo);
    tracker.markPersisted(seqNo);
  }
  const translog = createTranslog({
    disk: options.disk,
    folder: options.paths.translog,
    primaryTerm: request.primaryTerm,
    ...parts.translog,
    globalCheckpoint: () => options.globalCheckpoint(),
    onPersisted: (seqNos) => {
      // Before the copy is notified: a primary reports the checkpoint to its replication tracker.
      for (const seqNo of seqNos) tracker.markPersisted(seqNo);
      options.onPersisted();
    },
  });
  const nowMs = options.clock.monotonicMs();
  return {
    options,
    counters: request.counters ?? createCounters(),
    primaryTerm: request.primaryTerm,
    tracker,
    translog,
    batch: createRecordWriter(),
    batchSeqNos: [],
    writer: createSegmentWriter(options.segmentParts),
    versions: new Map(),
    tombstones: tombstonesOf(above, nowMs),
    unmappedDocs: 0,
    isSafeAccess: false,
    hadLookups: false,
    segments,
    visible: segments,
    pendingDeletes: new Map(),
    nextSegment: Math.max(commit?.nextSegment ?? 0, request.nextSegment ?? 0),
    commits: parts.commits,
    historyUuid: commit?.historyUuid ?? newUuid(options.random),
    copiedHistoryUuid: commit?.copiedHistoryUuid,
    maxUnsafeAutoIdMs: commit?.maxUnsafeAutoIdMs ?? -1,
    maxSeqNoOfUpdates: commit?.maxSeqNo ?? NO_OPS_PERFORMED,
    minRetainedSeqNo: commit?.minRetainedSeqNo ?? 0,
    historyLocks: new Map(),
    pinnedCommits: new Map(),
    refreshListeners: [],
    rolledBack: undefined,
    flushing: undefined,
    isCommitting: false,
    isMergePlanned: false,
    merging: undefined,
    fruitlessAt: new Map(),
    isClosed: false,
    failure: undefined,
    heldBytes: 0,
    lastWriteMs: nowMs,
    lastRefreshMs: nowMs,
  };
}

/**
 * Operations of the segments above the commit's local checkpoint, by sequence number: a commit may be made while
 * there is a gap.
 */
function operationsAbove(
  segments: readonly SegmentEntry[],
  localCheckpoint: number,
): readonly StoredDocument[] {
  return segments
    .flatMap(({ reader }) =>
      reader.maxSeqNo <= localCheckpoint
        ? []
        : [...reader.operations(localCheckpoint + 1, reader.maxSeqNo)].map(reader.stored),
    )
    .toSorted((a, b) => a.seqNo - b.seqNo);
}

/**
 * Deletes above the local checkpoint: operations that fill the gap may be older than the delete on their id, and must
 * not bring the document back (`InternalEngine.restoreVersionMapAndCheckpointTracker`).
 */
function tombstonesOf(above: readonly StoredDocument[], atMs: number): EngineState["tombstones"] {
  const tombstones: EngineState["tombstones"] = new Map();
  for (const { kind, id, version, seqNo, primaryTerm } of above) {
    tombstones.delete(id);
    if (kind !== "delete") continue;
    const known = { version, seqNo, primaryTerm, doc: -1, source: undefined, routing: undefined };
    tombstones.set(id, { ...known, isDeleted: true, atMs });
  }
  return tombstones;
}

/** Reads a segment and its live docs, each file verified against the commit. */
function loadSegment(options: EngineOptions, segment: CommitSegment): SegmentEntry {
  const { disk, segmentParts } = options;
  const folder = options.paths.index;
  const files = segment.files.map((file) => ({
    name: file.name,
    bytes: readChecked(disk, folder, file),
  }));
  const reader = openSegment(files, segmentParts, { isTrusted: true });
  let live: SegmentEntry["live"];
  if (segment.live !== undefined) {
    live = decodeLiveDocs(readChecked(disk, folder, segment.live), segment.live.name);
  }
  return {
    name: segment.name,
    reader,
    live,
    committed: segment,
    committedLive: live,
    generation: Number.parseInt(segment.name.slice(1), 36),
  };
}
