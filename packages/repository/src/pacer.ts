/** A speed limit over bytes, shared by all that use it: each waits for its turn on one time line. */
import { delay, type Clock } from "@orrery/ports";

export interface Pacer {
  /** Ends when so many bytes may travel. */
  take(bytes: number): Promise<void>;
  /** Bytes a second from here on; 0: no limit. */
  setRate(bytesPerSecond: number): void;
  readonly throttledMs: number;
}

/** Waits shorter than this are saved up. */
const SHORTEST_MS = 5;

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
