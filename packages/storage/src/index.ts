/**
 * Durable state of a node: the Disk and NodeStore ports over the file system and SQLite, and in memory; and the
 * BlobStores port.
 */
export { createBlobStores } from "./blob-stores.ts";
export { createFileDisk } from "./file-disk.ts";
export { createMemoryDisk } from "./memory-disk.ts";
export { createMemoryNodeStore } from "./memory-node-store.ts";
export { openStoreRepair, type StoreRepair } from "./repair-node-store.ts";
export { openNodeStore } from "./sqlite-node-store.ts";
