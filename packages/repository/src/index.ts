/** Snapshot repositories (`BlobStoreRepository`): their layout in a blob store, and how they are read and written. */
export { corrupt } from "./blob-format.ts";
export { indexMetadataBlob, infoBlob, shardFolder, shardIndexBlob } from "./names.ts";
export {
  createNodeRepositories,
  type NodeRepositories,
  type OpenableRepository,
} from "./node-repositories.ts";
export { openRepository, type Repository } from "./open-repository.ts";
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
export { creationRefused, readBytes, readFlag, readList } from "./read-setting.ts";
export { coreRepositoryTypes } from "./repository-types/table.ts";
export {
  composeRepositoryTypes,
  type GivenRepository,
  type NodeRepositoryType,
  type NodeSettings,
  type RepositoryDefinition,
  type RepositoryType,
  type RepositoryTypes,
  type RepositoryWorld,
} from "./repository-type.ts";
export type { Compression, RepositorySettings } from "./settings.ts";
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
