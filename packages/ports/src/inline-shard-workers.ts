/**
 * Shard workers in the thread of the node, for worlds in one process and for simulations: the same messages as between
 * threads, copied, delivered in microtasks.
 *
 * A worker that throws while it handles a message or a timer has died: its timers are gone and nothing it says is heard.
 */
import type { Clock } from "./clock.ts";
import type {
  ShardWorkerChannel,
  ShardWorkerEvents,
  ShardWorkers,
  WorkerHost,
  WorkerMessage,
} from "./shard-workers.ts";

export interface InlineShardWorkersOptions {
  /** The program of a worker. */
  readonly program: (host: WorkerHost) => void;
  readonly makeWorld: (worker: number) => Pick<WorkerHost, "clock" | "random" | "disk">;
}

export function createInlineShardWorkers(options: InlineShardWorkersOptions): ShardWorkers {
  return {
    count: 1,
    start: (worker, events) => startInline(options, worker, events),
  };
}

function startInline(
  options: InlineShardWorkersOptions,
  worker: number,
  events: ShardWorkerEvents,
): ShardWorkerChannel {
  const world = options.makeWorld(worker);
  const timers = new Set<() => void>();
  let receive: ((message: WorkerMessage) => void) | undefined;
  let isRunning = true;

  const exit = (reason: string): void => {
    if (!isRunning) return;
    isRunning = false;
    for (const cancel of timers) cancel();
    timers.clear();
    later(() => events.onExit(reason));
  };

  /** Runs a part of the worker; what it throws is the end of the worker alone. */
  const run = (part: () => void): void => {
    if (!isRunning) return;
    try {
      part();
    } catch (error) {
      exit(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    }
  };

  const clock: Clock = {
    nowMs: () => world.clock.nowMs(),
    monotonicMs: () => world.clock.monotonicMs(),
    setTimer(delayMs, callback) {
      const cancel = world.clock.setTimer(delayMs, () => {
        timers.delete(cancel);
        run(callback);
      });
      timers.add(cancel);
      return () => {
        timers.delete(cancel);
        cancel();
      };
    },
  };

  const host: WorkerHost = {
    ...world,
    clock,
    post(message) {
      if (!isRunning) return;
      const own = ownBytes(message);
      later(() => {
        if (isRunning) events.onMessage(own);
        if (own.kind === "stopped") exit("");
      });
    },
    onMessage(callback) {
      receive = callback;
    },
  };
  later(() => run(() => options.program(host)));

  return {
    post(message) {
      const own = ownBytes(message);
      later(() => run(() => receive?.(own)));
    },
    terminate: () => exit(""),
  };
}

/** The message with bytes that are the receiver's, in buffers that hold nothing else. */
export function ownBytes(message: WorkerMessage): WorkerMessage {
  switch (message.kind) {
    case "frame":
    case "send":
      return { ...message, frame: message.frame.slice() };
    case "state":
      return { ...message, slice: message.slice.slice() };
    default:
      return message;
  }
}

function later(task: () => void): void {
  void Promise.resolve().then(task);
}
