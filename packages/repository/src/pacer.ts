/** Rate limiter for bytes (`RateLimiter`), shared by concurrent transfers: each call reserves the next interval of one time line. */
import { delay, type Clock } from "@orrery/ports";

/** A rate limit. */
export interface Pacer {
  /** Resolves when `bytes` may be transferred under the rate limit. */
  take(bytes: number): Promise<void>;
  /** Sets the rate of later calls; 0 removes the limit. */
  setRate(bytesPerSecond: number): void;
  /** Total time that calls have waited. */
  readonly throttledMs: number;
}

/** Waits below this are skipped; their bytes stay on the time line and delay later calls. */
const SHORTEST_MS = 5;

/** A limiter at the given rate; 0: no limit. */
export function createPacer(clock: Clock, bytesPerSecond: number): Pacer {
  let rate = bytesPerSecond;
  let freeAtMs = 0;
  let throttledMs = 0;
  return {
    async take(bytes) {
      if (rate <= 0 || bytes === 0) return;
      const nowMs = clock.monotonicMs();
      freeAtMs = Math.max(freeAtMs, nowMs) + (bytes / rate) * 1000;
      const waitMs = freeAtMs - nowMs;
      if (waitMs < SHORTEST_MS) return;
      throttledMs += waitMs;
      await delay(clock, waitMs);
    },
    setRate(next) {
      rate = next;
    },
    get throttledMs() {
      return throttledMs;
    },
  };
}
