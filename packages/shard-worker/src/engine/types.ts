/**
 * The vocabulary of an engine (`InternalEngine`): one copy's versioned documents, from the indexing buffer to the
 * commit. Changes of documents are synchronous; only what makes them durable awaits.
 */
import type { Clock, Disk } from "@orrery/ports";
import type { Mapping } from "@orrery/query";
import type { LocalCheckpointTracker, RetentionLeases } from "@orrery/replication";
import type { LiveDocs, SegmentParts, WholeSegmentReader, SegmentWriter } from "@orrery/segment";
import type { Problem, Random } from "@orrery/stdx";
import type { Commit, CommitSegment } from "../store/commit.ts";
import type { ShardPaths } from "../store/layout.ts";
import type { Operation, RecordWriter } from "../translog/record.ts";
import type { Translog } from "../translog/translog.ts";
import type { EngineCounters } from "./counters.ts";

/** The engine's access to its copy and to the world. */
export interface EngineOptions {
  readonly disk: Disk;
  readonly paths: ShardPaths;
  readonly clock: Clock;
  readonly random: Random;
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  /** The kinds of parts that segments of this engine are made of. */
  readonly segmentParts: SegmentParts;
  settings(): EngineSettings;
  mapping(): Mapping;
  globalCheckpoint(): number;
  leases(): RetentionLeases;
  /** Called once, when the engine has failed: the copy cannot go on. */
  onFailed(problem: Problem): void;
  /** Indexing a document has met a bug; returns the problem for its writer. */
  onUnforeseen(error: unknown): Problem;
  /** The persisted checkpoint may have risen. */
  onPersisted(): void;
  /** Operations below this number may be gone from the history. */
  onTrimmed(retainedFrom: number): void;
}

/** Settings of the index that an engine reads at each use. */
export interface EngineSettings {
  /** Time for which the version of a deleted document stays known. */
  readonly gcDeletesMs: number;
  readonly flushThresholdBytes: number;
  readonly generationThresholdBytes: number;
  readonly maxRefreshListeners: number;
  /** Size of the indexing buffer above which an internal refresh empties it. */
  readonly bufferBytes: number;
  readonly maxMergedSegmentBytes: number;
  readonly segmentsPerTier: number;
  /** Operations behind the global checkpoint that are retained without any lease. */
  readonly retentionOperations: number;
}

/** The newest version of an id as the version map has it: an operation since the last refresh, or a recent delete. */
export interface VersionEntry {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly isDeleted: boolean;
  /**
   * Number of the document in the indexing buffer, or of a delete's tombstone; -1 for a tombstone that was read from a
   * commit.
   */
  readonly doc: number;
  /** The source as stored. */
  readonly source: Uint8Array | undefined;
  readonly routing: string | undefined;
  /** Monotonic time of a delete; 0 for a document. */
  readonly atMs: number;
}

/** A segment with its live docs as of now. Entries are replaced, not changed: searches hold lists of them. */
export interface SegmentEntry {
  readonly name: string;
  readonly reader: WholeSegmentReader;
  readonly live: LiveDocs | undefined;
  /** The segment as its last commit has it; `undefined` while its files are only in memory. */
  readonly committed: CommitSegment | undefined;
  /** The live docs of that commit; another object than `live` when documents were deleted since. */
  readonly committedLive: LiveDocs | undefined;
  /** The order in which the engine made or loaded it, for `_segments`. */
  readonly generation: number;
}

/** A write that waits for an external refresh. */
export interface RefreshListener {
  readonly seqNo: number;
  readonly done: (forced: boolean) => void;
}

/**
 * INV-REPL-9: operations above the global checkpoint that a copy has rolled back. They stay in its translog until the
 * new primary has re-sent their replacements: if it fails before that, this copy may be the only one with
 * acknowledged operations.
 */
export interface RolledBackHistory {
  /** The translog generation that they begin in; commits keep the translog from there on. */
  readonly generation: number;
  readonly operations: readonly Operation[];
}

/** The state that the functions of the engine share: owned by one engine, changed in place. */
export interface EngineState {
  readonly options: EngineOptions;
  readonly counters: EngineCounters;
  /** The primary term of new operations and translog generations. */
  primaryTerm: number;
  tracker: LocalCheckpointTracker;
  translog: Translog;
  /** The running batch: operations that are processed and not in the translog yet. */
  readonly batch: RecordWriter;
  batchSeqNos: number[];
  writer: SegmentWriter;
  /** The version map: operations since the last refresh, by id. Appended documents may be absent (`unmappedDocs`). */
  versions: Map<string, VersionEntry>;
  /** Refreshed deletes by id, for `index.gc_deletes`. */
  tombstones: Map<string, VersionEntry>;
  /** Appended documents of the buffer that `versions` lacks: a look-up has to refresh first. */
  unmappedDocs: number;
  /** Look-ups happen, so every document is mapped (`LiveVersionMap.isSafeAccessRequired`). */
  isSafeAccess: boolean;
  /** Whether an id was looked up since the last external refresh. */
  hadLookups: boolean;
  /** Oldest first; a merged segment has the place of its oldest part. */
  segments: readonly SegmentEntry[];
  /** The segments that searches see: the same list as `segments` when no refresh is due. */
  visible: readonly SegmentEntry[];
  /** Documents of segments that were replaced or deleted since the last refresh, by segment name. */
  pendingDeletes: Map<string, number[]>;
  /** The number in the name of the next segment. */
  nextSegment: number;
  /** Kept commits, ascending; none only before an empty engine's first flush. */
  commits: readonly Commit[];
  /** The identity of the history: equal numbers of two copies are the same operations only under the same uuid. */
  historyUuid: string;
  /** The history of the shard of another cluster from whose files this one began. */
  readonly copiedHistoryUuid: string | undefined;
  /** Generated ids up to this time may have been written before by a retried request. */
  maxUnsafeAutoIdMs: number;
  /** The highest sequence number that may be an update or delete (`maxSeqNoOfUpdatesOrDeletes`). It never falls. */
  maxSeqNoOfUpdates: number;
  /** The segments hold every operation from this number on. */
  minRetainedSeqNo: number;
  /** Lowest numbers that readers of the history still need, by a key of the reader (`acquireHistoryRetentionLock`). */
  readonly historyLocks: Map<object, number>;
  /** Users of a commit's files, recoveries and snapshots: generation to count. */
  readonly pinnedCommits: Map<number, number>;
  refreshListeners: RefreshListener[];
  /** Operations that a roll-back has left in the translog; `undefined`: none. */
  rolledBack: RolledBackHistory | undefined;
  /** Set while a flush runs; rejects as the flush does. */
  flushing: Promise<void> | undefined;
  /** Whether files of a commit are written that no commit names yet. */
  isCommitting: boolean;
  /** Set while a merge is planned or runs. */
  isMergePlanned: boolean;
  /** Set while a merge runs; resolves when it has ended, failed or not. */
  merging: Promise<void> | undefined;
  /** Merged segments that lost no document, with the retained number of that merge. */
  readonly fruitlessAt: Map<string, number>;
  isClosed: boolean;
  /** The problem that closed the engine; `undefined` for one that was closed without a failure. */
  failure: Problem | undefined;
  /** Memory of the version map: an estimate. */
  heldBytes: number;
  /** Monotonic time of the last operations that were applied. */
  lastWriteMs: number;
  /** Monotonic time of the last external refresh. */
  lastRefreshMs: number;
}

/** The conditions of a write; `undefined`: the client gave no such condition. */
export interface WriteCondition {
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
  /** Set for external version types alone. */
  readonly version: number | undefined;
  readonly versionType: "internal" | "external" | "external_gte";
  /** The document must not exist (`op_type=create`). */
  readonly isCreate: boolean;
}

/** An unconditional write under internal versions. */
export const noCondition: WriteCondition = {
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  version: undefined,
  versionType: "internal",
  isCreate: false,
};

/** The outcome of a write on the primary. A failed one may have taken a sequence number, which a no-op fills. */
export type WriteOutcome =
  | {
      readonly kind: "done";
      readonly seqNo: number;
      readonly primaryTerm: number;
      readonly version: number;
      /** Whether a live document was there before. */
      readonly wasFound: boolean;
    }
  | { readonly kind: "failed"; readonly problem: Problem };

/** The newest version of an id; it may be a delete. */
export interface FoundVersion {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly isDeleted: boolean;
  /**
   * The segment of the document; `undefined`: the operation is in the indexing buffer, or is a tombstone, and `entry`
   * is set.
   */
  readonly segment: SegmentEntry | undefined;
  readonly doc: number;
  readonly entry: VersionEntry | undefined;
}
