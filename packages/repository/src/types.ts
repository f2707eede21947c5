/** What a repository holds, as data. Wire keys are the product's where a blob of its has them. */
import type { Json, JsonObject } from "@orrery/stdx";

export type SnapshotState = "SUCCESS" | "FAILED" | "PARTIAL";

/** Every snapshot and index of a repository, at one generation. */
export interface RepositoryData {
  /** −1: there is nothing yet. */
  readonly generation: number;
  readonly snapshots: readonly SnapshotRecord[];
  readonly indices: readonly IndexRecord[];
  /** Blob id of an index's metadata, by what tells equal metadata. */
  readonly indexMetadata: Readonly<Record<string, string>>;
}

export interface SnapshotRecord {
  readonly name: string;
  readonly uuid: string;
  readonly state: SnapshotState;
  readonly version: string;
  /** Identifier of the index metadata it saw, by index id. */
  readonly indexMetadata: Readonly<Record<string, string>>;
}

export interface IndexRecord {
  readonly name: string;
  readonly id: string;
  readonly pathType: ShardPathType;
  /** Uuids of the snapshots that hold it. */
  readonly snapshots: readonly string[];
  /** By shard number; `null` while no snapshot of the shard succeeded. */
  readonly shardGenerations: readonly (string | null)[];
}

export type ShardPathType = "FIXED" | "HASHED_PREFIX" | "HASHED_INFIX";

/** An index as snapshots name it. */
export type RepositoryIndex = Pick<IndexRecord, "name" | "id" | "pathType">;

/** `snap-<uuid>.dat` of a whole snapshot. */
export interface SnapshotInfo {
  readonly name: string;
  readonly uuid: string;
  readonly version: string;
  readonly state: SnapshotState;
  readonly reason?: string;
  readonly indices: readonly string[];
  readonly dataStreams: readonly string[];
  readonly includeGlobalState: boolean;
  readonly metadata?: JsonObject;
  readonly startTimeMs: number;
  readonly endTimeMs: number;
  readonly totalShards: number;
  readonly successfulShards: number;
  readonly failures: readonly ShardFailure[];
  readonly remoteStoreIndexShallowCopy: boolean;
}

export interface ShardFailure {
  readonly index: string;
  readonly shard: number;
  readonly reason: string;
  readonly nodeId?: string;
}

/** A file of a shard, and where its bytes are. */
export interface ShardFile {
  /** Blob name, without the part. */
  readonly blob: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: number;
  /** Bytes of each part but the last; 0: one blob. */
  readonly partBytes: number;
}

/** `snap-<uuid>.dat` of one shard. */
export interface ShardSnapshot {
  readonly name: string;
  readonly uuid: string;
  readonly startTimeMs: number;
  readonly durationMs: number;
  readonly incrementalFiles: number;
  readonly incrementalBytes: number;
  readonly files: readonly ShardFile[];
}

/** `index-<uuid>` of one shard: all its snapshots. */
export interface ShardIndex {
  readonly snapshots: readonly ShardIndexEntry[];
  readonly files: readonly ShardFile[];
}

export interface ShardIndexEntry {
  readonly name: string;
  readonly uuid: string;
  /** Blob names. */
  readonly files: readonly string[];
}

/** What a snapshot keeps of the cluster beside its indices. */
export type GlobalMetadata = Readonly<Record<string, Json>>;
