/** Hosts shard copies: engine, translog, replication, recovery, search contexts; inline or in a worker thread. */
export { cleanStores, type CleanStores } from "./store/clean-stores.ts";
export { readShardStores, type StoreInfo } from "./store/read-stores.ts";
export { shardFolder } from "./store/layout.ts";
export { startShardWorker } from "./worker.ts";
