/**
 * Finds shard workers that are stuck: those whose heartbeats stand still while this thread's own timers come in time. A process
 * that was stopped, or a machine that is asleep, makes both stand still: then no worker is judged. Nor is one that has not
 * beaten yet: it is loading its program.
 */
import type { Clock } from "@orrery/ports";

export interface Watched {
  readonly beats: () => number;
  /** Once. The look at which the worker was last seen to take turns: it is stuck in what it was given before the next one. */
  onStuck(lastSeen: number): void;
}

export interface Watchdog {
  /** How often it has looked. */
  readonly look: number;
  watch(worker: number, watched: Watched): void;
  forget(worker: number): void;
}

interface Entry extends Watched {
  lastBeats: number;
  lastSeen: number;
}

/** So many looks without a heartbeat, each in time, make a worker stuck; fewer, where they would come as fast as heartbeats. */
const LOOKS = 10;
const LEAST_INTERVAL_MS = 500;

/** `timeoutMs` 0 or less: nothing is ever stuck. Without workers to watch there is no timer. */
export function createWatchdog(clock: Clock, timeoutMs: number): Watchdog {
  const entries = new Map<number, Entry>();
  const intervalMs = Math.max(timeoutMs / LOOKS, LEAST_INTERVAL_MS);
  const patience = Math.ceil(timeoutMs / intervalMs);
  let look = 0;
  let lastMs = 0;
  let cancel: (() => void) | undefined;

  const again = (): void => {
    lastMs = clock.monotonicMs();
    cancel = clock.setTimer(intervalMs, lookAtAll);
  };

  const lookAtAll = (): void => {
    look += 1;
    const isLate = clock.monotonicMs() - lastMs > 2 * intervalMs;
    for (const [worker, entry] of [...entries]) {
      const beats = entry.beats();
      if (isLate || beats === 0 || beats !== entry.lastBeats) {
        entry.lastBeats = beats;
        entry.lastSeen = look;
      } else if (look - entry.lastSeen >= patience) {
        entries.delete(worker);
        entry.onStuck(entry.lastSeen);
      }
    }
    if (entries.size > 0) again();
    else cancel = undefined;
  };

  return {
    get look() {
      return look;
    },
    watch(worker, watched) {
      if (timeoutMs <= 0) return;
      entries.set(worker, { ...watched, lastBeats: watched.beats(), lastSeen: look });
      if (cancel === undefined) again();
    },
    forget(worker) {
      entries.delete(worker);
      if (entries.size > 0) return;
      cancel?.();
      cancel = undefined;
    },
  };
}
