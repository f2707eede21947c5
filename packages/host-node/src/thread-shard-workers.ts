/**
 * Shard workers in threads of their own, so that a heavy search never delays a heartbeat.
 *
 * Bytes are copied out of whatever buffer they are part of and then transferred: a structured clone would send that
 * whole buffer.
 */
import { Worker } from "node:worker_threads";
import type {
  ShardWorkerChannel,
  ShardWorkerEvents,
  ShardWorkers,
  WorkerMessage,
} from "@orrery/ports";
import { createFrameSender, receiveFrames, type ThreadMessage } from "./packed-frames.ts";

export interface ThreadShardWorkersOptions {
  /** How many threads shards are spread over. */
  readonly count: number;
  readonly dataPath: string;
  /** Of the streams of chance; each worker's differ. */
  readonly seed: string;
  /** The module a thread runs; the shard worker unless a test brings another. */
  readonly entry?: URL;
}

/** What a thread is told before its first message. */
export interface ThreadData {
  readonly dataPath: string;
  readonly seed: string;
  /** One number, which the thread raises with each of its heartbeats. */
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
    // Sources are run by tests only.
    ...(entry.pathname.endsWith(".ts") ? { execArgv: ["--conditions=source"] } : {}),
  });
  let isAsked = false;
  let isTerminated = false;
  let failure: Error | undefined;

  const receive = (message: WorkerMessage): void => {
    if (message.kind === "stopped") isAsked = true;
    if (!isTerminated) events.onMessage(message);
  };
  thread.on("message", (message: ThreadMessage) => receiveFrames(message, receive));
  thread.on("error", (error: Error) => {
    failure = error;
  });
  thread.on("exit", (code) => {
    const why =
      failure === undefined ? `exit code [${code}]` : `${failure.name}: ${failure.message}`;
    events.onExit(isAsked || isTerminated ? "" : why);
  });

  const sender = createFrameSender((message, transfer) => thread.postMessage(message, transfer));
  return {
    post: sender.post,
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
