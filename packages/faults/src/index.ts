/**
 * Decorators of the ports Network, Disk, NodeStore, BlobStores and Clock that inject the faults of
 * a list of rules, for worlds in real time.
 */
export { withBlobFaults, type BlobFaultsOptions } from "./blobs.ts";
export { withClockFaults, type ClockFaultsOptions } from "./clock.ts";
export { withDiskFaults, type DiskFaultsOptions } from "./disk.ts";
export { createFaultState, type ActiveRule, type FaultState } from "./fault-state.ts";
export {
  createNodeLifetime,
  blobsEndingWithNode,
  clockEndingWithNode,
  storeEndingWithNode,
  type NodeLifetime,
} from "./node-lifetime.ts";
export { withNetworkFaults, type NetworkFaultsOptions } from "./network.ts";
export { withStoreFaults, type StoreFaultsOptions } from "./node-store.ts";
export {
  withPowerLoss,
  type PowerLossDisk,
  type PowerLossOptions,
  type Unsynced,
} from "./power-loss.ts";
export { rotDisk, type RotOptions } from "./rot.ts";
