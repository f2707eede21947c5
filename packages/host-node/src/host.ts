/** The real world, as the Host that a node is given. */
import { join } from "node:path";
import type {
  BlobOpeners,
  Disk,
  Host,
  Log,
  LogLevel,
  Network,
  NodeStore,
  ShardWorkers,
  Trace,
} from "@orrery/ports";
import { startShardWorker } from "@orrery/shard-worker";
import { illegalArgument } from "@orrery/stdx";
import {
  createBlobStores,
  createFileDisk,
  createMemoryDisk,
  createMemoryNodeStore,
  openNodeStore,
} from "@orrery/storage";
import { createClock } from "./clock.ts";
import {
  createInlineShardWorkers,
  type WorkerProgram,
  type WorkerWorld,
} from "./inline-shard-workers.ts";
import { createLog } from "./log.ts";
import { createProcessInfo } from "./process-info.ts";
import { createRandomStreams, newSeed } from "./random.ts";
import { createTrust, newSecret, type TrustSecrets } from "./trust.ts";
import { createThreadShardWorkers } from "./thread-shard-workers.ts";

export interface NodeHostOptions {
  /** The node's, in its log lines. */
  readonly name: string;
  readonly network: Network;
  /** The node's own folder; empty for a node that keeps nothing. */
  readonly folder: string;
  /** Of which this reads `node.shard_workers` and `orrery.seed`. */
  readonly settings: Readonly<Record<string, string | readonly string[]>>;
  /** What the node proves its membership with; without, a secret that nobody else has: such a node is alone. */
  readonly secrets?: TrustSecrets;
  /** In place of those in the folder, for instance what a node without one kept through a restart. */
  readonly disk?: Disk;
  readonly store?: NodeStore;
  /** Of plugins, by type of address; the module of `threadEntry` has those of threads. */
  readonly blobOpeners?: BlobOpeners;
  /** Put around the ports that are made here, for the node and its inline shard workers. */
  readonly around?: (ports: OwnPorts) => OwnPorts;
  /** The module that threads of shard workers run, in place of the plain one. */
  readonly threadEntry?: URL;
  /** The same for workers in the node's own thread. */
  readonly shardProgram?: WorkerProgram;
  /** In place of threads, or inline for a node without a folder. */
  readonly workers?: (world: WorkerWorld) => ShardWorkers;
  /** In place of standard error. */
  readonly log?: Log;
  readonly logLevel?: LogLevel;
  readonly trace?: Trace;
}

export type OwnPorts = Pick<Host, "clock" | "disk" | "store" | "blobs">;

/** Throws `OperationError` when the data folder is in use or damaged, `DiskError` when it cannot be made. */
export function createNodeHost(options: NodeHostOptions): Host {
  const { name, folder, settings } = options;
  const seed = text(settings["orrery.seed"]) ?? newSeed();
  const random = createRandomStreams(seed);
  const plain: OwnPorts = {
    clock: createClock(),
    // The store before the disk: it holds the lock on the folder.
    store: options.store ?? openStore(folder),
    disk: options.disk ?? (folder === "" ? createMemoryDisk() : createFileDisk(folder)),
    blobs: createBlobStores(options.blobOpeners),
  };
  const { clock, disk, store, blobs } = options.around?.(plain) ?? plain;
  const world: WorkerWorld = {
    clock,
    disk,
    blobs,
    random: (purpose) => random(`worker:${purpose}`),
  };
  return {
    clock,
    random,
    network: options.network,
    disk,
    blobs,
    store,
    workers: options.workers?.(world) ?? defaultWorkers(options, world, seed),
    trust: createTrust(options.secrets ?? { secret: newSecret() }),
    log: options.log ?? createLog(name, options.logLevel),
    trace: options.trace ?? (() => undefined),
    process: createProcessInfo(folder),
  };
}

function openStore(folder: string): NodeStore {
  return folder === "" ? createMemoryNodeStore() : openNodeStore(join(folder, "node.sqlite"));
}

function defaultWorkers(
  { folder, settings, threadEntry: entry, shardProgram }: NodeHostOptions,
  world: WorkerWorld,
  seed: string,
): ShardWorkers {
  const count = numberOfWorkers(text(settings["node.shard_workers"]));
  return count > 0 && folder !== ""
    ? createThreadShardWorkers({ count, dataPath: folder, seed, ...(entry ? { entry } : {}) })
    : createInlineShardWorkers(world, shardProgram ?? startShardWorker);
}

function numberOfWorkers(given: string | undefined): number {
  const count = Number(given ?? "1");
  if (Number.isInteger(count) && count >= 0 && given !== "") return count;
  throw illegalArgument(`Failed to parse value [${given}] for setting [node.shard_workers]`);
}

function text(setting: string | readonly string[] | undefined): string | undefined {
  return setting === undefined || typeof setting === "string" ? setting : setting.join(",");
}
