/** The process and machine of a node, as `_nodes` reports them. Unknown numbers of files are -1. */
import { lookup } from "@orrery/stdx";
import { readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { ProcessInfo, ProcessStats } from "@orrery/ports";

/** Interval of the probes of the event loop. */
const probeMs = 50;
/** Architectures as the JVM names them. */
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "aarch64" };

let described: ProcessInfo["os"] | undefined;

/**
 * Describes the process of a node. The description of the system is read at the first request for it, so that the start
 * does not wait for it.
 */
export function createProcessInfo(dataPath: string): ProcessInfo {
  const cpu = createCpuMeter();
  const delay = monitorEventLoopDelay({ resolution: probeMs });
  delay.enable();
  return {
    pid: process.pid,
    startedAtMs: Math.round(performance.timeOrigin),
    get os() {
      described ??= describeSystem();
      return described;
    },
    runtime: { name: "Node.js", version: process.versions.node, vendor: "OpenJS Foundation" },
    hostname: os.hostname(),
    dataPath,
    stats: () => ({ ...memory(), ...cpu(), ...files(), ...loop(delay.mean) }),
  };
}

function describeSystem(): ProcessInfo["os"] {
  return {
    name: os.type(),
    prettyName: /^PRETTY_NAME="?([^"\n]*)/m.exec(textOf("/etc/os-release"))?.[1] ?? os.type(),
    arch: lookup(architectures, os.arch()) ?? os.arch(),
    version: os.release(),
    availableProcessors: os.availableParallelism(),
  };
}

function memory() {
  const { heapUsed, heapTotal, rss, external } = process.memoryUsage();
  const swap = textOf("/proc/meminfo");
  return {
    heapUsedBytes: heapUsed,
    heapCommittedBytes: heapTotal,
    heapMaxBytes: getHeapStatistics().heap_size_limit,
    residentBytes: rss,
    externalBytes: external,
    systemMemoryTotalBytes: os.totalmem(),
    systemMemoryFreeBytes: os.freemem(),
    swapTotalBytes: kibibytes(swap, "SwapTotal"),
    swapFreeBytes: kibibytes(swap, "SwapFree"),
  } satisfies Partial<ProcessStats>;
}

function files() {
  const limit = /^Max open files\s+(\d+)/m.exec(textOf("/proc/self/limits"))?.[1];
  return {
    openFileDescriptors: countFiles(),
    maxFileDescriptors: limit === undefined ? -1 : Number(limit),
  } satisfies Partial<ProcessStats>;
}

function loop(meanNs: number) {
  const [one = 0, five = 0, fifteen = 0] = os.loadavg();
  return {
    loadAverage: [one, five, fifteen],
    uptimeMs: performance.now(),
    // The histogram's values include the interval between two probes.
    eventLoopDelayMs: Number.isNaN(meanNs) ? 0 : Math.max(0, meanNs / 1e6 - probeMs),
  } satisfies Partial<ProcessStats>;
}

/** Shares of all processors since the last call, from 0 to 100. */
function createCpuMeter(): () => Pick<
  ProcessStats,
  "cpuTotalMs" | "cpuPercent" | "systemCpuPercent"
> {
  let before = cpuTimes();
  let last = { cpuPercent: 0, systemCpuPercent: 0 };
  return () => {
    const now = cpuTimes();
    const passedMs = now.allMs - before.allMs;
    // The system counts in ticks of 10 ms: a call within the same tick returns the last shares.
    if (passedMs > 0) {
      last = {
        cpuPercent: percent(now.processMs - before.processMs, passedMs),
        systemCpuPercent: percent(passedMs - (now.idleMs - before.idleMs), passedMs),
      };
      before = now;
    }
    return { cpuTotalMs: Math.round(now.processMs), ...last };
  };
}

function cpuTimes(): { processMs: number; allMs: number; idleMs: number } {
  const { user, system } = process.cpuUsage();
  let allMs = 0;
  let idleMs = 0;
  for (const { times } of os.cpus()) {
    allMs += times.user + times.nice + times.sys + times.idle + times.irq;
    idleMs += times.idle;
  }
  return { processMs: (user + system) / 1000, allMs, idleMs };
}

function percent(part: number, whole: number): number {
  return Math.max(0, Math.min(100, Math.round((part / whole) * 100)));
}

/** Empty on systems without the file. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function countFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return -1;
  }
}

function kibibytes(text: string, key: string): number {
  const found = new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(text)?.[1];
  return found === undefined ? 0 : Number(found) * 1024;
}
