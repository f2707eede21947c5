/** The Clock port over the machine's clocks and timers. */
import type { Clock } from "@orrery/ports";

/** The longest delay of `setTimeout`; a longer one fires at once. */
const longestMs = 2 ** 31 - 1;

export function createClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    setTimer(delayMs, callback) {
      let timer: NodeJS.Timeout;
      const arm = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, longestMs);
        // Rounded up: `setTimeout` truncates fractions, and would fire early.
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
