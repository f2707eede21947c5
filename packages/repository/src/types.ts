/** Contents of a repository as data (`RepositoryData`, `SnapshotInfo`, `BlobStoreIndexShardSnapshots`). */
import type { Json, JsonObject } from "@orrery/stdx";

/** Final state of a snapshot. */
export type SnapshotState = "SUCCESS" | "FAILED" | "PARTIAL";

/** All snapshots and indices of a repository, at one generation. */
export interface RepositoryData {
  /** N of `index-N`; −1 for a repository without one. */
  readonly generation: number;
  readonly snapshots: readonly SnapshotRecord[];
  readonly indices: readonly IndexRecord[];
  /** Blob id of index metadata, by the identifier that equal metadata shares. */
  readonly indexMetadata: Readonly<Record<string, string>>;
}

/** A snapshot, as repository data lists it. */
export interface SnapshotRecord {
  readonly name: string;
  readonly uuid: string;
  readonly state: SnapshotState;
  readonly version: string;
  /** Identifier of the metadata of each index, by index id. */
  readonly indexMetadata: Readonly<Record<string, string>>;
}

/** An index, as repository data lists it. */
export interface IndexRecord {
  readonly name: string;
  readonly id: string;
  readonly pathType: ShardPathType;
  /** Uuids of the snapshots that contain it. */
  readonly snapshots: readonly string[];
  /** Current generation of each shard; null while no snapshot of the shard has succeeded. */
  readonly shardGenerations: readonly (string | null)[];
}

/** Layout of shard folders (`PathType`). */
export type ShardPathType = "FIXED" | "HASHED_PREFIX" | "HASHED_INFIX";

/** An index as snapshots name it. */
export type RepositoryIndex = Pick<IndexRecord, "name" | "id" | "pathType">;

/** Contents of `snap-<uuid>.dat` at the root: the info of a snapshot. */
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

/** A shard that is not in the snapshot. */
export interface ShardFailure {
  readonly index: string;
  readonly shard: number;
  readonly reason: string;
  readonly nodeId?: string;
}

/** A file of a shard, with the blobs of its contents. */
export interface ShardFile {
  /** Name of the blob, without the suffix of a part. */
  readonly blob: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: number;
  /** Size of each part but the last; 0: a single blob. */
  readonly partBytes: number;
}

/** Contents of `snap-<uuid>.dat` in a shard's folder: the files of one snapshot. */
export interface ShardSnapshot {
  readonly name: string;
  readonly uuid: string;
  readonly startTimeMs: number;
  readonly durationMs: number;
  readonly incrementalFiles: number;
  readonly incrementalBytes: number;
  readonly files: readonly ShardFile[];
}

/** Contents of `index-<generation>` in a shard's folder: all its snapshots, and the files that they share. */
export interface ShardIndex {
  readonly snapshots: readonly ShardIndexEntry[];
  readonly files: readonly ShardFile[];
}

/** A snapshot in a shard index. */
export interface ShardIndexEntry {
  readonly name: string;
  readonly uuid: string;
  /** Blob names of its files. */
  readonly files: readonly string[];
}

/** Contents of `meta-<uuid>.dat`: metadata of the cluster beside the indices. */
export type GlobalMetadata = Readonly<Record<string, Json>>;
