/**
 * Shard workers in threads of their own, so that a heavy search never delays a heartbeat.
 *
 * Bytes that are part of a larger buffer are copied and then transferred: a structured clone would copy the whole
 * buffer.
 */
import { Worker } from "node:worker_threads";
import type {
  ShardWorkerChannel,
  ShardWorkerEvents,
  ShardWorkers,
  WorkerMessage,
} from "@orrery/ports";
import { ownBytes, transferables } from "./own-bytes.ts";

export interface ThreadShardWorkersOptions {
  /** The number of threads over which shards are spread. */
  readonly count: number;
  readonly dataPath: string;
  /** Seed of the random streams; each worker derives its own. */
  readonly seed: string;
  /** The module that threads run; default `thread-entry.ts`. */
  readonly entry?: URL;
}

/** The data that a thread gets at its start. */
export interface ThreadData {
  readonly dataPath: string;
  readonly seed: string;
  /** One shared number, which the thread raises with each heartbeat. */
  readonly beats: Int32Array;
}

export function createThreadShardWorkers(options: ThreadShardWorkersOptions): ShardWorkers {
  return {
    count: options.count,
    isProgramNamedApart: true,
    start: (worker, events) => startThread(options, worker, events),
  };
}

function startThread(
  options: ThreadShardWorkersOptions,
  worker: number,
  events: ShardWorkerEvents,
): ShardWorkerChannel {
  const { dataPath, seed, entry = ownEntry() } = options;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ThreadData = { dataPath, seed: `${seed}:worker-${worker}`, beats };
  const thread = new Worker(entry, {
    name: `shard-worker-${worker}`,
    workerData,
    // Only tests run the sources.
    ...(entry.pathname.endsWith(".ts") ? { execArgv: ["--conditions=source"] } : {}),
  });
  let isAsked = false;
  let isTerminated = false;
  let failure: Error | undefined;

  const receive = (message: WorkerMessage): void => {
    if (message.kind === "stopped") isAsked = true;
    if (!isTerminated) events.onMessage(message);
  };
  thread.on("message", receive);
  thread.on("error", (error: Error) => {
    failure = error;
  });
  thread.on("exit", (code) => {
    const why =
      failure === undefined ? `exit code [${code}]` : `${failure.name}: ${failure.message}`;
    events.onExit(isAsked || isTerminated ? "" : why);
  });

  return {
    post(message) {
      const own = ownBytes(message);
      thread.postMessage(own, transferables(own));
    },
    beats: () => Atomics.load(beats, 0),
    terminate() {
      isTerminated = true;
      void thread.terminate();
    },
  };
}

function ownEntry(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./thread-entry.${extension}`, import.meta.url);
}
