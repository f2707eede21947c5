/** Shard workers in threads and inline, against one contract. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  echoWorker,
  settleInRealTime as settle,
  shardWorkersContract,
} from "@orrery/ports/contract";
import { createBlobStores, createMemoryDisk } from "@orrery/storage";
import {
  createClock,
  createInlineShardWorkers,
  createRandomStreams,
  createThreadShardWorkers,
} from "../src/index.ts";

shardWorkersContract("threads", async () => {
  const dataPath = mkdtempSync(join(tmpdir(), "orrery-worker-"));
  const entry = new URL("./echo-entry.ts", import.meta.url);
  return {
    workers: createThreadShardWorkers({ count: 2, dataPath, seed: "1", entry }),
    settle,
    end: async () => rmSync(dataPath, { recursive: true, force: true }),
  };
});

shardWorkersContract("inline", async () => {
  const world = {
    clock: createClock(),
    disk: createMemoryDisk(),
    blobs: createBlobStores(),
    random: createRandomStreams("1"),
  };
  return { workers: createInlineShardWorkers(world, echoWorker), settle };
});
