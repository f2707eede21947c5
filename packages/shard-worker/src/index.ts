/** Hosts shard copies: engine, translog, replication, recovery, search contexts; inline or in a worker thread. */
export { cleanStores, type CleanStores } from "./store/clean-stores.ts";
export { readIndexMetadata, writeIndexMetadata } from "./store/index-metadata.ts";
export { CorruptStoreError } from "./store/corruption.ts";
export { readShardStores, type StoreInfo } from "./store/read-stores.ts";
export { indexFolder, indicesFolder, shardFolder } from "./store/layout.ts";
export { startShardWorker } from "./worker.ts";
