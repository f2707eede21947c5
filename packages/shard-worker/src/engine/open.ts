/**
 * Opens an engine on what a disk holds: an empty store, a commit and the translog after it, or a commit that a recovery
 * has just brought.
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
import type { EngineOptions, EngineState, HeldHistory, SegmentEntry } from "./types.ts";

export interface OpenRequest {
  readonly primaryTerm: number;
  /** Kept over a reopening of the same copy. */
  readonly counters?: EngineCounters;
  /** Names up to here were used by commits that are dropped. */
  readonly nextSegment?: number;
  /** Operations above are not part of the history, although the translog has them. Default: all are. */
  readonly upTo?: number;
}

export interface OpenedEngine {
  readonly engine: EngineState;
  /** Operations of the translog that the commit may lack, in order, not applied yet; older generations hold what it dropped. */
  readonly toReplay: readonly Operation[];
  /** Operations above `upTo`: they are held until something takes their place. */
  readonly held: HeldHistory | undefined;
  /** As the translog last knew it; −2: unknown. */
  readonly globalCheckpoint: number;
  /** What is damaged, and did not keep the engine from being opened: for the log. */
  readonly damage: readonly string[];
}

/** A copy with no history: everything that lies in its folders is removed. */
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
 * Opens the given commit; newer ones are dropped. Throws `CorruptStoreError` or `CorruptFileError`, and `OperationError` for a
 * segment with a part of an unknown kind.
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
  const held =
    above.length === 0
      ? undefined
      : { generation: commit.translogGeneration, operations: newestTerms(above) };
  const { globalCheckpoint, damage } = found;
  return { engine, toReplay, held, globalCheckpoint, damage };
}

/** The files a recovery brought belong to this commit; a new translog starts after it. */
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
 * The newest commit, and older ones that can still be opened, ascending. A crash may bring back the manifest of a commit
 * whose files or translog were removed: that one counts as removed. Throws `CorruptStoreError` for the newest.
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
      let at = commit.translogGeneration;
      while (at <= last && translogs.has(at)) at += 1;
      return hasFiles && at > last ? [commit] : [];
    } catch (error) {
      if (error instanceof CorruptStoreError) return [];
      throw error;
    }
  });
}

/** Applies what the translog had, in the order it was appended. */
export function replay(
  engine: EngineState,
  operations: readonly Operation[],
  parse: ParseOperation,
): number {
  const whole = replaySteps(engine, operations, { parse, isTurnOver: () => false }).next();
  assert(whole.done === true, "a replay without turns ends at once");
  return whole.value;
}

export interface ReplayOptions {
  readonly parse: ParseOperation;
  readonly isTurnOver: () => boolean;
}

/** The same in turns, of an engine that is in nobody else's use yet. What closed it meanwhile ends the replay. */
export function* replaySteps(
  engine: EngineState,
  operations: readonly Operation[],
  { parse, isTurnOver }: ReplayOptions,
): Generator<undefined, number> {
  // Nobody has said which of them only add documents: every one is looked up.
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

/** A rolled-back operation and the one that took its number may both be in the translog: the newer term counts. */
function newestTerms(operations: readonly Operation[]): Operation[] {
  const newest = new Map<number, number>();
  for (const { seqNo, primaryTerm } of operations) {
    newest.set(seqNo, Math.max(newest.get(seqNo) ?? 0, primaryTerm));
  }
  return operations.filter(({ seqNo, primaryTerm }) => newest.get(seqNo) === primaryTerm);
}

/** A new primary may find numbers that were given out and never arrived: no-ops take their place. */
export function fillGaps(engine: EngineState, primaryTerm: number): number {
  const gaps = engine.tracker.gaps();
  for (const seqNo of gaps) {
    applyNoop(engine, { seqNo, primaryTerm, reason: "filling gaps" });
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
    readonly found: readonly number[];
  };
}

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
    held: undefined,
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

/** What a commit holds above a gap, in order. */
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

/** Deletes that what fills the gap may be older than. Source: `InternalEngine.restoreVersionMapAndCheckpointTracker`. */
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
