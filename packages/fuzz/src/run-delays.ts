/**
 * Time that runnable threads waited for a processor: it is subtracted from response times, so that a busy machine
 * causes no findings. Linux reports it for each thread; elsewhere it is 0, and all time counts.
 */
import { readdirSync, readFileSync } from "node:fs";

export interface RunDelays {
  /** Delay of the main threads of the processes, or of all their threads, together with those of this process. */
  since(ms: number, threads: "main" | "all"): number;
  stop(): void;
}

interface Sample {
  readonly atMs: number;
  readonly main: number;
  readonly all: number;
}

const EVERY_MS = 200;
/** Longer than any wait for a response. */
const KEPT_MS = 150_000;

export function watchRunDelays(pids: readonly number[]): RunDelays {
  const samples: Sample[] = [];
  const sample = (): Sample => {
    const own = delayOf(process.pid, "all");
    const now = {
      atMs: performance.now(),
      main: own + sumOf(pids, "main"),
      all: own + sumOf(pids, "all"),
    };
    samples.push(now);
    while ((samples[1]?.atMs ?? Infinity) < now.atMs - KEPT_MS) samples.shift();
    return now;
  };
  sample();
  const timer = setInterval(sample, EVERY_MS).unref();
  return {
    since: (ms, threads) => {
      const from = samples.find(({ atMs }) => atMs >= ms);
      return from === undefined ? 0 : sample()[threads] - from[threads];
    },
    stop: () => clearInterval(timer),
  };
}

function sumOf(pids: readonly number[], threads: "main" | "all"): number {
  return pids.reduce((sum, pid) => sum + delayOf(pid, threads), 0);
}

function delayOf(pid: number, threads: "main" | "all"): number {
  if (threads === "main") return readDelay(`/proc/${pid}/task/${pid}/schedstat`);
  try {
    const ids = readdirSync(`/proc/${pid}/task`);
    return ids.reduce((sum, id) => sum + readDelay(`/proc/${pid}/task/${id}/schedstat`), 0);
  } catch {
    return 0;
  }
}

/** Delay in milliseconds; the second number of the file is in nanoseconds. */
function readDelay(path: string): number {
  try {
    return Number(readFileSync(path, "utf8").split(" ")[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}
