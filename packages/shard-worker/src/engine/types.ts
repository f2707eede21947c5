/**
 * The vocabulary of an engine: one copy's versioned documents, from the indexing buffer to the commit.
 *
 * Everything that changes documents is synchronous; only making things durable takes time.
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
  /** Once: the copy cannot go on. */
  onFailed(problem: Problem): void;
  /** A document met a bug: what its writer is told. */
  onUnforeseen(error: unknown): Problem;
  /** The persisted checkpoint may have moved. */
  onPersisted(): void;
  /** Operations below this number may be gone. */
  onTrimmed(retainedFrom: number): void;
}

export interface EngineSettings {
  readonly gcDeletesMs: number;
  readonly flushThresholdBytes: number;
  readonly generationThresholdBytes: number;
  readonly maxRefreshListeners: number;
  readonly bufferBytes: number;
  readonly maxMergedSegmentBytes: number;
  readonly segmentsPerTier: number;
  readonly retentionOperations: number;
}

/** What is known of a document since the last refresh. */
export interface VersionEntry {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly isDeleted: boolean;
  /** In the indexing buffer; of a delete, its tombstone. */
  readonly doc: number;
  /** As stored. */
  readonly source: Uint8Array | undefined;
  readonly routing: string | undefined;
  /** Monotonic, for the removal of tombstones. */
  readonly atMs: number;
}

export interface SegmentEntry {
  readonly name: string;
  readonly reader: WholeSegmentReader;
  readonly live: LiveDocs | undefined;
  /** As it stands in the last commit that holds it; `undefined` while its files are only in memory. */
  readonly committed: CommitSegment | undefined;
  /** The live docs of that commit, to see whether they changed since. */
  readonly committedLive: LiveDocs | undefined;
  /** When memory got it, for `_segments`. */
  readonly generation: number;
}

export interface RefreshListener {
  readonly seqNo: number;
  readonly done: (forced: boolean) => void;
}

/**
 * INV-REPL-9: operations that a copy was taken back from, above the global checkpoint it knew. They stay in its translog until the
 * primary has sent what takes their place: when it falls before that, this copy may be the only one that has what was acknowledged.
 */
export interface HeldHistory {
  /** Where they begin in the translog; commits keep it from there on. */
  readonly generation: number;
  readonly operations: readonly Operation[];
}

/** What the files of an engine share; owned by one engine, changed in place. */
export interface EngineState {
  readonly options: EngineOptions;
  readonly counters: EngineCounters;
  /** The term operations are done under now. */
  primaryTerm: number;
  tracker: LocalCheckpointTracker;
  translog: Translog;
  /** Operations of the running batch that are not in the translog yet. */
  readonly batch: RecordWriter;
  batchSeqNos: number[];
  writer: SegmentWriter;
  versions: Map<string, VersionEntry>;
  /** Deletes that were refreshed, kept for a while so that late operations find them. */
  tombstones: Map<string, VersionEntry>;
  /** Documents in the buffer that `versions` does not know: a look-up has to refresh first. */
  unmappedDocs: number;
  /** Look-ups happen: keep every document in `versions`. */
  isSafeAccess: boolean;
  hadLookups: boolean;
  segments: readonly SegmentEntry[];
  /** What searches see. */
  visible: readonly SegmentEntry[];
  /** By segment name: documents replaced or deleted since the last refresh. */
  pendingDeletes: Map<string, number[]>;
  nextSegment: number;
  /** Ascending; the last is the newest. */
  commits: readonly Commit[];
  historyUuid: string;
  /** Of the shard of another cluster that this one is a copy of. */
  readonly copiedHistoryUuid: string | undefined;
  /** Ids made by coordinating nodes up to this moment may come twice. */
  maxUnsafeAutoIdMs: number;
  maxSeqNoOfUpdates: number;
  minRetainedSeqNo: number;
  /** What recoveries under way still have to read, from these numbers on; by a key of theirs. */
  readonly historyLocks: Map<object, number>;
  /** Commits whose files recoveries under way are reading: generation, count. */
  readonly pinnedCommits: Map<number, number>;
  refreshListeners: RefreshListener[];
  held: HeldHistory | undefined;
  flushing: Promise<void> | undefined;
  isCommitting: boolean;
  /** Set while a merge is planned or runs. */
  isMergePlanned: boolean;
  /** The merge that runs. */
  merging: Promise<void> | undefined;
  /** Merged segments that lost nothing, by what had to be retained then. */
  readonly fruitlessAt: Map<string, number>;
  isClosed: boolean;
  failure: Problem | undefined;
  /** Memory the buffer keeps alive beyond what its writer counts. */
  heldBytes: number;
  lastWriteMs: number;
  lastRefreshMs: number;
}

/** Conditions of a write, as the client gave them. */
export interface WriteCondition {
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
  /** External versions only. */
  readonly version: number | undefined;
  readonly versionType: "internal" | "external" | "external_gte";
  /** The document must not exist. */
  readonly isCreate: boolean;
}

export const noCondition: WriteCondition = {
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  version: undefined,
  versionType: "internal",
  isCreate: false,
};

export type WriteOutcome =
  | {
      readonly kind: "done";
      readonly seqNo: number;
      readonly primaryTerm: number;
      readonly version: number;
      /** A document was there before. */
      readonly wasFound: boolean;
    }
  | { readonly kind: "failed"; readonly problem: Problem };

/** What a look-up finds. */
export interface FoundVersion {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly isDeleted: boolean;
  /** `undefined`: in the indexing buffer. */
  readonly segment: SegmentEntry | undefined;
  readonly doc: number;
  readonly entry: VersionEntry | undefined;
}
