/** A clock that a test moves, and the promises that go on in between. */
import type { Clock } from "@orrery/ports";

export interface VirtualClock {
  readonly clock: Clock;
  /** Runs what is due within so many milliseconds, in order. */
  advance(ms: number): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

export function createVirtualClock(): VirtualClock {
  let nowMs = 1000;
  let timers: Timer[] = [];
  const next = (untilMs: number): Timer | undefined =>
    timers.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
  return {
    clock: {
      nowMs: () => nowMs,
      monotonicMs: () => nowMs,
      setTimer: (delayMs, callback) => {
        const timer = { atMs: nowMs + delayMs, callback };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
    },
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      await promises();
      for (let timer = next(untilMs); timer !== undefined; timer = next(untilMs)) {
        const due = timer;
        timers = timers.filter((other) => other !== due);
        nowMs = due.atMs;
        due.callback();
        await promises();
      }
      nowMs = untilMs;
    },
  };
}

async function promises(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}
