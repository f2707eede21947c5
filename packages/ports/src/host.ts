/** The Host of a node program: all of its ports. Everything else of the world is out of its reach. */
import type { Random } from "@orrery/stdx";
import type { BlobStores } from "./blob-stores.ts";
import type { Clock } from "./clock.ts";
import type { Disk } from "./disk.ts";
import type { Log } from "./log.ts";
import type { Network } from "./network.ts";
import type { NodeStore } from "./node-store.ts";
import type { ShardWorkers } from "./shard-workers.ts";
import type { Trace } from "./trace.ts";
import type { SpanSink } from "./tracing.ts";
import type { Trust } from "./trust.ts";

export interface Host {
  readonly clock: Clock;
  /** A random stream for a purpose. In one run the same purpose has the same stream. */
  readonly random: (purpose: string) => Random;
  readonly network: Network;
  readonly disk: Disk;
  readonly blobs: BlobStores;
  readonly store: NodeStore;
  readonly workers: ShardWorkers;
  readonly trust: Trust;
  readonly log: Log;
  readonly trace: Trace;
  /** Takes the spans of requests; absent on a node that traces none. */
  readonly spans?: SpanSink | undefined;
  readonly process: ProcessInfo;
}

/** The process and machine of a node, as `_nodes` reports them. A simulation answers with fixed values. */
export interface ProcessInfo {
  readonly pid: number;
  /** Wall time in milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly os: {
    readonly name: string;
    readonly prettyName: string;
    readonly arch: string;
    readonly version: string;
    readonly availableProcessors: number;
  };
  /** The JavaScript engine, reported in the place of the JVM. */
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
