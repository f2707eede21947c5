/** Real time for a driver: the event queue follows the clock of the machine. */
import type { EventQueue } from "@orrery/simulator";
import { setTimeout as sleep } from "node:timers/promises";

export interface RealTime {
  /** Settles when the driver ends; rejects with the error of the simulation. */
  readonly ended: Promise<void>;
  /** Resolves after this time. */
  wait(ms: number): Promise<void>;
}

export interface RealTimeOptions {
  readonly queue: EventQueue;
  /** Runs the event queue when no other caller does. */
  readonly exclusively: (run: () => Promise<void>) => Promise<void>;
  readonly isBusy: () => boolean;
  readonly isOver: () => boolean;
}

/** Real time between two runs of the event queue: while a caller waits, and else. */
const BUSY_MS = 1;
const IDLE_MS = 5;

/** Follows the clock from now on, until the driver is over. */
export function followClock({ queue, exclusively, isBusy, isOver }: RealTimeOptions): RealTime {
  const originMs = queue.nowMs - performance.now();
  const follow = async (): Promise<void> => {
    while (!isOver()) {
      const untilMs = Math.max(queue.nowMs, originMs + performance.now());
      await exclusively(() => queue.run(untilMs, isOver));
      await sleep(isBusy() ? BUSY_MS : IDLE_MS);
    }
  };
  const ended = follow();
  // The error is that of the callers; without any, nobody waits for the cluster.
  ended.catch(() => undefined);
  return {
    ended,
    wait: async (ms) => {
      const untilMs = queue.nowMs + ms;
      while (queue.nowMs < untilMs && !isOver()) await Promise.race([sleep(BUSY_MS), ended]);
    },
  };
}
