/** Simulated clock of one node: virtual monotonic time, and a wall clock that starts at the beginning of 2026. */
import type { Clock } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import { TIE_BREAKS, type EventQueue } from "./event-queue.ts";
import type { Gate } from "./gate.ts";

/** 2026-01-01T00:00:00Z. */
const START_OF_2026_MS = 1_767_225_600_000;

/**
 * Shortest timer delay, a microsecond. The remainder of a wait after the rounding of a sum may be too small to advance
 * the clock; code that waits for the remainder would then loop at one virtual time.
 */
const LEAST_WAIT_MS = 0.001;

/** Wall time at a virtual time of the run. */
export function wallMs(nowMs: number): number {
  return START_OF_2026_MS + Math.floor(nowMs);
}

export interface ClockModelOptions {
  readonly alive?: () => boolean;
  readonly fired?: (delayMs: number) => void;
  /** Gate that delays timers while the node is slow or paused. */
  readonly gate?: Gate;
  /** Wall time of the node; the correct time if `undefined`. */
  readonly wall?: () => number;
}

/**
 * Clock whose timers do not fire once `alive` returns false. Timers due at the same time fire in the order in which
 * they were set.
 */
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
