/** The Clock port on the machine's time. */
import type { Clock } from "@orrery/ports";

/** Longer delays make `setTimeout` fire at once. */
const longestMs = 2 ** 31 - 1;

export function createClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    setTimer(delayMs, callback) {
      let timer: NodeJS.Timeout;
      const arm = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, longestMs);
        // A fraction would be cut off, and the timer fire before its time.
        timer = setTimeout(
          () => (leftMs > stepMs ? arm(leftMs - stepMs) : callback()),
          Math.ceil(stepMs),
        );
      };
      arm(Math.max(0, delayMs));
      return () => clearTimeout(timer);
    },
  };
}
