/**
 * Inline shard workers of a simulated node: their messages are events of the simulation, and bytes belong to their
 * receiver.
 *
 * Each worker stands for a thread: its turns, timers and messages wait at its own gate, and it may die alone. A worker
 * that throws ends the run: in a simulation a failed assertion is a finding, not the loss of some copies.
 */
import type { ShardWorker } from "@orrery/node";
import type { Clock, ShardWorkers, Work, WorkerHost, WorkerMessage } from "@orrery/ports";
import { shortCopy } from "@orrery/stdx";
import type { Gate, Passage } from "./gate.ts";

export interface WorkerModelOptions {
  readonly count: number;
  /** Host of one incarnation of a worker; no event reaches it once `alive` returns false. */
  readonly world: (worker: number, alive: () => boolean) => Omit<WorkerHost, "post" | "onMessage">;
  readonly run: (host: WorkerHost) => ShardWorker;
  /** Schedules an action soon, in the order of the calls, unless the node has crashed by then. */
  readonly soon: (action: () => void) => void;
  /** Gates of the node's main thread and of each worker. */
  readonly main: Passage;
  readonly gate: (worker: number) => Gate;
  /** Number of heartbeats of a worker; absent if workers run in the main thread. */
  readonly beats?: (worker: number) => number;
}

export interface WorkerModel extends ShardWorkers {
  /** Ends a running worker; its pending actions never run. False if there is none. */
  kill(worker: number): boolean;
  /** Work in progress of the running workers, by their number. */
  work(): ReadonlyMap<number, readonly Work[]>;
}

export function createWorkerModel(options: WorkerModelOptions): WorkerModel {
  const { count, main, run, soon, beats } = options;
  const kills = new Map<number, () => void>();
  const running = new Map<number, ShardWorker>();

  return {
    count,
    kill: (worker) => {
      const kill = kills.get(worker);
      kill?.();
      return kill !== undefined;
    },
    work: () => new Map([...running].map(([worker, program]) => [worker, program.work()])),
    start: (worker, events) => {
      const gate = options.gate(worker);
      let receive: ((message: WorkerMessage) => void) | undefined;
      let isOver = false;
      const world = options.world(worker, () => !isOver);
      const end = (reason: string): void => {
        if (isOver) return;
        isOver = true;
        kills.delete(worker);
        running.delete(worker);
        // The pauses of a thread end with it.
        gate.clear();
        soon(() => main.pass(() => events.onExit(reason)));
      };
      kills.set(worker, () => end("the thread is gone"));
      const program = run({
        ...world,
        clock: clockUntil(world.clock, () => isOver),
        post: (message) => {
          if (isOver) return;
          const own = ownBytes(message);
          const deliver = (): void => {
            events.onMessage(own);
            if (own.kind === "stopped") end("");
          };
          soon(() => main.pass(() => isOver || deliver()));
        },
        onMessage: (receiver) => {
          receive = receiver;
        },
      });
      if (!isOver) running.set(worker, program);
      return {
        post: (message) => {
          const own = ownBytes(message);
          soon(() => gate.pass(() => isOver || receive?.(own)));
        },
        terminate: () => end(""),
        ...(beats === undefined ? {} : { beats: () => beats(worker) }),
      };
    },
  };
}

function clockUntil(clock: Clock, isOver: () => boolean): Clock {
  return {
    ...clock,
    setTimer: (delayMs, callback) =>
      clock.setTimer(delayMs, () => {
        if (!isOver()) callback();
      }),
  };
}

function ownBytes(message: WorkerMessage): WorkerMessage {
  switch (message.kind) {
    case "frame":
      return {
        kind: "frame",
        connection: message.connection,
        frame: taken(message.frame),
      };
    case "send":
      return {
        kind: "send",
        to: message.to,
        channel: message.channel,
        frame: taken(message.frame),
      };
    case "state":
      return { kind: "state", slice: message.slice.slice() };
    case "state-change":
      return { kind: "state-change", change: message.change.slice() };
    default:
      return message;
  }
}

/** A thread takes the memory of a frame over: a sender that reads it once more finds nothing. */
function taken(frame: Uint8Array): Uint8Array {
  const copy = shortCopy(frame);
  frame.fill(0);
  return copy;
}
