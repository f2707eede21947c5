/** The simulated world: virtual time, network, disks, blob stores, node lifecycles, the flight recorder. */
export { createEventQueue, type EventQueue } from "./event-queue.ts";
export { calmBlobs, type BlobConditions, type BlobOperation } from "./blob-conditions.ts";
export { createBlobModel, type BlobModel } from "./blob-model.ts";
export type { Machine } from "./machine/machine.ts";
export { thisMachine } from "./machine/this-machine.ts";
export { createNetworkModel, type NetworkModel } from "./network-model.ts";
export { createDiskModel, type DiskModel } from "./disk-model.ts";
export { createRecorder, type RecordedEvent, type Recorder } from "./recorder.ts";
export { createSimulation, type Simulation, type SimulationOptions } from "./simulation.ts";
export { createStoreModel, type StoreModel } from "./store-model.ts";
export { createTrustModel } from "./trust-model.ts";
export { ForbiddenCall, setTraps, turnOfTheMachine } from "./traps.ts";
