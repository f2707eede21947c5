/** What every adapter of a port must do, as suites that each adapter runs against itself. */
export { blobStoresContract, type BlobStoresWorld } from "./blob-stores.ts";
export { clockContract, type ClockWorld } from "./clock.ts";
export { diskContract, type DiskWorld } from "./disk.ts";
export { echoWorker } from "./echo-worker.ts";
export { networkContract, type NetworkWorld } from "./network.ts";
export { nodeStoreContract, type NodeStoreWorld } from "./node-store.ts";
export { completed, settleInRealTime, type Settle } from "./settle.ts";
export { shardWorkersContract, type ShardWorkersWorld } from "./shard-workers.ts";
export { areProbed, tellsOfTimers } from "./socket-timers.ts";
