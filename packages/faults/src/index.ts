/** Decorators of the ports Network, Disk, NodeStore and Clock that make go wrong what a list of faults says. */
export { withClockFaults, type ClockFaultsOptions } from "./clock.ts";
export { withDiskFaults, type DiskFaultsOptions } from "./disk.ts";
export type {
  Between,
  ClockFault,
  DiskFault,
  FaultOf,
  NetworkFault,
  NodeFault,
  PortFault,
  PortFaultKind,
  StoreFault,
} from "./fault.ts";
export { createFaultState, type FaultState } from "./fault-state.ts";
export { withNetworkFaults, type NetworkFaultsOptions } from "./network.ts";
export { withStoreFaults, type StoreFaultsOptions } from "./node-store.ts";
export { spoilDisk, type SpoilOptions } from "./spoil.ts";
