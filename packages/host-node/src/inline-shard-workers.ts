/**
 * Shard workers in the node's own thread, for worlds in one process and for simulations: the same messages as between
 * threads, copied, and delivered in microtasks.
 *
 * A worker whose handler of a message or timer throws has died: its timers are cancelled and its messages are
 * dropped.
 */
import type {
  Clock,
  ShardWorkerChannel,
  ShardWorkerEvents,
  ShardWorkers,
  WorkerHost,
  WorkerMessage,
} from "@orrery/ports";
import { ownBytes } from "./own-bytes.ts";

/** The ports that an inline worker shares with its node. */
export type WorkerWorld = Pick<WorkerHost, "clock" | "random" | "disk" | "blobs">;
/** The program of a shard worker. It registers its handler for messages, and returns at once. */
export type WorkerProgram = (host: WorkerHost) => void;

export function createInlineShardWorkers(world: WorkerWorld, program: WorkerProgram): ShardWorkers {
  return {
    count: 1,
    isProgramNamedApart: true,
    start: (_worker, events) => startInline(world, program, events),
  };
}

function startInline(
  world: WorkerWorld,
  program: WorkerProgram,
  events: ShardWorkerEvents,
): ShardWorkerChannel {
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

  /** Runs a part of the worker; an error that it throws ends the worker alone. */
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
  later(() => run(() => program(host)));

  return {
    post(message) {
      const own = ownBytes(message);
      later(() => run(() => receive?.(own)));
    },
    terminate: () => exit(""),
  };
}

function later(task: () => void): void {
  void Promise.resolve().then(task);
}
