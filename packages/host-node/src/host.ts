/** The Host of a node on a real machine. */
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
  SpanSink,
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
  /** The node's name in log lines. */
  readonly name: string;
  readonly network: Network;
  /** The node's data folder; empty for a node without durable state. */
  readonly folder: string;
  /** The node's settings; `node.shard_workers` and `orrery.seed` are read here. */
  readonly settings: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Secrets of the membership proofs. Absent: a new random secret, so that the node can neither join other nodes nor be
   * joined.
   */
  readonly secrets?: TrustSecrets;
  /** Replaces the disk and store of the folder, for instance by those of an in-memory node that restarts. */
  readonly disk?: Disk;
  readonly store?: NodeStore;
  /**
   * Openers of blob stores that plugins add, by type of address. They do not reach threads of shard workers: those get
   * theirs from the module `threadEntry`.
   */
  readonly blobOpeners?: BlobOpeners;
  /** Decorates the ports that are made here, for the node and its inline shard workers. */
  readonly around?: (ports: OwnPorts) => OwnPorts;
  /** The module that threads of shard workers run; default `thread-entry.ts`. */
  readonly threadEntry?: URL;
  /** The program of an inline shard worker; default `startShardWorker`. */
  readonly shardProgram?: WorkerProgram;
  /** Replaces the shard workers; by default threads, inline without a folder or with `node.shard_workers` 0. */
  readonly workers?: (world: WorkerWorld) => ShardWorkers;
  /** Default: a log on standard error. */
  readonly log?: Log;
  readonly logLevel?: LogLevel;
  readonly trace?: Trace;
  /** Takes the spans of requests; by default requests are not traced. */
  readonly spans?: SpanSink | undefined;
}

/** The ports of a host that the option `around` may decorate. */
export type OwnPorts = Pick<Host, "clock" | "disk" | "store" | "blobs">;

/**
 * Creates a `Host`: the ports over which one node of this process runs.
 * @throws OperationError The data folder is in use or damaged, or `node.shard_workers` is no count.
 * @throws DiskError The data folder cannot be created.
 */
export function createNodeHost(options: NodeHostOptions): Host {
  const { name, folder, settings } = options;
  const seed = text(settings["orrery.seed"]) ?? newSeed();
  const random = createRandomStreams(seed);
  const plain: OwnPorts = {
    clock: createClock(),
    // The store is opened before the disk, because it takes the lock on the folder.
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
    spans: options.spans,
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
