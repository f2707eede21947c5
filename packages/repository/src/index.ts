/** Snapshot repositories: their layout, and how they are read and changed. */
export { corrupt } from "./blob-format.ts";
export { indexMetadataBlob, infoBlob, shardFolder, shardIndexBlob } from "./names.ts";
export { nodeRepositorySettings, type NodeRepositorySettings } from "./node-settings.ts";
export { openRepository, type Repository } from "./open-repository.ts";
export { checkAddress, openStore } from "./open-store.ts";
export { createPacer, type Pacer } from "./pacer.ts";
export {
  blobProblem,
  concurrentModification,
  isMissing,
  isStoreFailure,
  repositoryError,
  repositoryProblem,
} from "./problems.ts";
export {
  emptyRepository,
  indicesOf,
  snapshotNamed,
  withoutSnapshots,
  withSnapshot,
} from "./repository-data.ts";
export {
  repositorySettings,
  type Compression,
  type RepositoryDefinition,
  type RepositorySettings,
} from "./settings.ts";
export {
  cloneShard,
  pruneShard,
  readShardFile,
  readShardSnapshot,
  writeShardSnapshot,
  type ShardProgress,
  type SourceFile,
} from "./shard.ts";
export {
  listRepository,
  metadataBlobs,
  newestGeneration,
  olderGenerations,
  removeStale,
  rootBlobsOf,
  staleInShards,
  staleRoot,
  type RepositoryListing,
  type Stale,
} from "./stale.ts";
export { isStep } from "./stored-shapes.ts";
export type {
  GlobalMetadata,
  IndexRecord,
  RepositoryData,
  RepositoryIndex,
  ShardFailure,
  ShardFile,
  ShardPathType,
  ShardSnapshot,
  SnapshotInfo,
  SnapshotRecord,
  SnapshotState,
} from "./types.ts";
