/** Everything a node program can reach of its world. */
import type { Random } from "@orrery/stdx";
import type { BlobStores } from "./blob-stores.ts";
import type { Clock } from "./clock.ts";
import type { Disk } from "./disk.ts";
import type { Log } from "./log.ts";
import type { Network } from "./network.ts";
import type { NodeStore } from "./node-store.ts";
import type { ShardWorkers } from "./shard-workers.ts";
import type { Trace } from "./trace.ts";
import type { Trust } from "./trust.ts";

export interface Host {
  readonly clock: Clock;
  /** The same purpose gives the same stream within one run. */
  readonly random: (purpose: string) => Random;
  readonly network: Network;
  readonly disk: Disk;
  readonly blobs: BlobStores;
  readonly store: NodeStore;
  readonly workers: ShardWorkers;
  readonly trust: Trust;
  readonly log: Log;
  readonly trace: Trace;
  readonly process: ProcessInfo;
}

/** The process and machine a node runs on, as `_nodes` reports them. A simulation answers with fixed values. */
export interface ProcessInfo {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly os: {
    readonly name: string;
    readonly prettyName: string;
    readonly arch: string;
    readonly version: string;
    readonly availableProcessors: number;
  };
  /** Of the JavaScript engine, reported in the place of the JVM. */
  readonly runtime: { readonly name: string; readonly version: string; readonly vendor: string };
  readonly hostname: string;
  readonly dataPath: string;
  stats(): ProcessStats;
}

export interface ProcessStats {
  readonly heapUsedBytes: number;
  readonly heapCommittedBytes: number;
  readonly heapMaxBytes: number;
  readonly residentBytes: number;
  readonly externalBytes: number;
  readonly systemMemoryTotalBytes: number;
  readonly systemMemoryFreeBytes: number;
  readonly swapTotalBytes: number;
  readonly swapFreeBytes: number;
  readonly cpuTotalMs: number;
  readonly cpuPercent: number;
  readonly systemCpuPercent: number;
  readonly loadAverage: readonly [number, number, number];
  readonly openFileDescriptors: number;
  readonly maxFileDescriptors: number;
  readonly uptimeMs: number;
  readonly eventLoopDelayMs: number;
}
