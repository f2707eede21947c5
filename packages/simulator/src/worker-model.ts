/**
 * The one inline shard worker of a simulated node: its messages are events of the simulation, their bytes the receiver's.
 *
 * A worker that throws ends the run: in a simulation a broken claim is a finding, not the death of some copies.
 */
import type { Clock, ShardWorkers, WorkerHost, WorkerMessage } from "@orrery/ports";
import { shortCopy } from "@orrery/stdx";

export interface WorkerModelOptions {
  readonly world: Omit<WorkerHost, "post" | "onMessage">;
  readonly run: (host: WorkerHost) => void;
  /** Runs soon, unless the node has crashed by then; in the order of the calls. */
  readonly soon: (action: () => void) => void;
}

export function createWorkerModel({ world, run, soon }: WorkerModelOptions): ShardWorkers {
  return {
    count: 1,
    start: (_worker, events) => {
      let receive: ((message: WorkerMessage) => void) | undefined;
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        soon(() => events.onExit(""));
      };
      run({
        ...world,
        clock: clockUntil(world.clock, () => isOver),
        post: (message) => {
          const own = ownBytes(message);
          soon(() => {
            if (!isOver) events.onMessage(own);
            if (own.kind === "stopped") end();
          });
        },
        onMessage: (receiver) => {
          receive = receiver;
        },
      });
      return {
        post: (message) => {
          const own = ownBytes(message);
          soon(() => {
            if (!isOver) receive?.(own);
          });
        },
        terminate: end,
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
        frame: shortCopy(message.frame),
      };
    case "send":
      return {
        kind: "send",
        to: message.to,
        channel: message.channel,
        frame: shortCopy(message.frame),
      };
    case "state":
      return { kind: "state", slice: message.slice.slice() };
    case "state-change":
      return { kind: "state-change", change: message.change.slice() };
    default:
      return message;
  }
}
