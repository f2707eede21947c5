/** The decorators against the contracts of their ports, with no fault on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@orrery/host-node";
import {
  blobStoresContract,
  clockContract,
  diskContract,
  networkContract,
  nodeStoreContract,
  settleInRealTime as settle,
} from "@orrery/ports/contract";
import { createRandom } from "@orrery/stdx";
import { createBlobStores, createMemoryDisk, createMemoryNodeStore } from "@orrery/storage";
import { createMemoryHub } from "@orrery/transport-memory";
import { onTestFinished } from "vitest";
import {
  createFaultState,
  withBlobFaults,
  withClockFaults,
  withDiskFaults,
  withNetworkFaults,
  withStoreFaults,
} from "../src/index.ts";

const queueBytes = 4 * 1024 * 1024;
const options = (self: string) => ({
  self,
  state: createFaultState(),
  clock: createClock(),
  random: createRandom("contract"),
  nameOf: (address: string) => address,
});

networkContract("with faults at both ends", async () => {
  const hub = createMemoryHub({ queueBytes });
  const network = (name: string) => withNetworkFaults(hub.network(name), options(name));
  return {
    near: network("near"),
    far: network("far"),
    deadAddress: "nobody",
    sameAddressAsFar: network,
    queueBytes,
    settle,
  };
});

diskContract("with faults", async () => ({
  disk: withDiskFaults(createMemoryDisk(), options("node-1")),
  settle,
}));

blobStoresContract("with faults", async () => {
  const location = mkdtempSync(join(tmpdir(), "orrery-blobs-"));
  onTestFinished(() => rmSync(location, { recursive: true, force: true }));
  return {
    stores: withBlobFaults(createBlobStores(), options("node-1")),
    address: { type: "fs", location: join(location, "repository") },
    settle,
  };
});

nodeStoreContract("with faults", async () => {
  const kept = createMemoryNodeStore();
  const open = () => withStoreFaults(kept, options("node-1"));
  return { store: open(), reopen: async () => open(), settle };
});

clockContract("with faults", () => ({
  clock: withClockFaults(createClock(), options("node-1")),
  settle,
}));
