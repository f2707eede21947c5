/** Time that moves when a test advances it; between two events the microtask queue is drained. */
import type { Clock } from "@orrery/ports";

export interface VirtualClock extends Clock {
  /** Runs everything that is due within so many milliseconds. */
  advance(ms: number): Promise<void>;
  readonly pending: number;
}

export function createVirtualClock(): VirtualClock {
  let now = 0;
  let last = 0;
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  return {
    nowMs: () => 1_700_000_000_000 + now,
    monotonicMs: () => now,
    setTimer(delayMs, run) {
      last += 1;
      const id = last;
      timers.set(id, { at: now + Math.max(0, delayMs), run });
      return () => void timers.delete(id);
    },
    get pending() {
      return timers.size;
    },
    async advance(ms) {
      const end = now + ms;
      await drain();
      for (;;) {
        let next: { id: number; at: number; run: () => void } | undefined;
        for (const [id, timer] of timers) {
          if (timer.at <= end && (next === undefined || timer.at < next.at))
            next = { id, ...timer };
        }
        if (next === undefined) break;
        timers.delete(next.id);
        now = Math.max(now, next.at);
        next.run();
        await drain();
      }
      now = end;
    },
  };
}

/** Until no promise has anything left to do. */
export function drain(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
