/** The simulated clock of one node: virtual time, and a wall clock that starts with the year 2026. */
import type { Clock } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import { TIE_BREAKS, type EventQueue } from "./event-queue.ts";
import type { Gate } from "./gate.ts";

/** 2026-01-01T00:00:00Z. */
const START_OF_2026_MS = 1_767_225_600_000;

/**
 * The shortest wait, a microsecond. What is left of a wait after the sum of two times was rounded may be too little to move the clock, and
 * code that waits for the rest would wait for ever at one time.
 */
const LEAST_WAIT_MS = 0.001;

/** What the wall shows so long after the start of the run. */
export function wallMs(nowMs: number): number {
  return START_OF_2026_MS + Math.floor(nowMs);
}

export interface ClockModelOptions {
  readonly alive?: () => boolean;
  readonly fired?: (delayMs: number) => void;
  /** Timers are late while the node is slow or paused. */
  readonly gate?: Gate;
  /** What the wall shows; the right time when it is not said. */
  readonly wall?: () => number;
}

/** A clock whose timers are forgotten once `alive` says no. Those of one time call in the order they were set. */
export function createClockModel(
  queue: EventQueue,
  random: Random,
  { alive, fired, gate, wall }: ClockModelOptions = {},
): Clock {
  const salt = random.int(0, 0x7fffffff);
  const tieBreakAt = (atMs: number): number =>
    (Math.imul(Math.floor(atMs * 1000) ^ salt, 0x9e3779b1) >>> 8) & TIE_BREAKS;
  return {
    nowMs: wall ?? (() => wallMs(queue.nowMs)),
    monotonicMs: () => queue.nowMs,
    setTimer: (askedMs, callback) => {
      const delayMs = askedMs > 0 ? Math.max(LEAST_WAIT_MS, askedMs) : 0;
      let isCancelled = false;
      const fire = (): void => {
        if (isCancelled || alive?.() === false) return;
        fired?.(delayMs);
        callback();
      };
      const cancel = queue.schedule(
        delayMs,
        gate === undefined ? fire : () => gate.pass(fire),
        tieBreakAt(queue.nowMs + delayMs),
      );
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
}
