/** Shard copies of a node: engine, translog, replication, recovery, search contexts; inline or in a worker thread. */
export { cleanStores, type CleanStores } from "./store/clean-stores.ts";
export { readIndexMetadata, writeIndexMetadata } from "./store/index-metadata.ts";
export { CorruptStoreError } from "./store/corruption.ts";
export { readShardStores, type StoreInfo } from "./store/read-stores.ts";
export { indexFolder, indicesFolder, shardFolder } from "./store/layout.ts";
export { startShardWorker, type ShardWorker } from "./worker.ts";

// Functions on copies for plugins.
export { engineOf, illegalState, shardName, type ShardCopy } from "./copy/shard-copy.ts";
export { addLeaseOnPrimary, removeLeaseOnPrimary, renewLeaseOnPrimary } from "./copy/leases.ts";
export { guarded } from "./engine/failure.ts";
export { flush } from "./engine/flush.ts";
export { historyFrom, readHistory } from "./engine/history.ts";
export { applyOperation, closeBatch } from "./engine/operations.ts";
export type { EngineState } from "./engine/types.ts";
export type { CopyRestriction } from "./search/restrictions.ts";
export type { ShardPlugin, SnapshotSource } from "./plugin.ts";
export { composeShards, coreShards, partsOf, type ShardProduct } from "./product.ts";
export type {
  Columns,
  FieldSpec,
  FieldValue,
  PartBuffer,
  PartEntry,
  PartMerge,
  SectionReader,
  SectionWriter,
  SegmentPart,
  WrittenField,
} from "@orrery/segment";
export { IncomingFiles } from "./recovery/incoming-files.ts";
export { noteFiles } from "./recovery/progress.ts";
export { commitToSend, pinCommit } from "./recovery/source.ts";
export { startWithHistoryOf } from "./recovery/store-recovery.ts";
export { enterStage } from "./recovery/stages.ts";
export { decodeCommit, encodeCommit, filesOf, type Commit } from "./store/commit.ts";
export { readRecords, type Operation } from "./translog/record.ts";
export { parserOf } from "./write/apply.ts";
export { replicateOperations } from "./write/replicate-operations.ts";
export { encodeOperations } from "./write/resync.ts";
