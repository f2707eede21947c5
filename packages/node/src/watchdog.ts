/**
 * Finds stuck shard workers: those whose heartbeats stop while this thread's own timers fire in time. A stopped
 * process or a sleeping machine stops both, and then no worker is judged; nor is one before its first heartbeat,
 * while it loads its program.
 */
import type { Clock } from "@orrery/ports";

export interface Watched {
  /** Heartbeats so far. */
  readonly beats: () => number;
  /**
   * Called once. `lastSeen`: the last round in which the worker took turns; a request that it was handed after that
   * cannot be the cause.
   */
  onStuck(lastSeen: number): void;
}

/** Rounds of checks over all workers. */
export interface Watchdog {
  /** Rounds so far. */
  readonly round: number;
  watch(worker: number, watched: Watched): void;
  forget(worker: number): void;
}

interface Entry extends Watched {
  lastBeats: number;
  lastSeen: number;
}

/**
 * Rounds without a heartbeat, each in time, after which a worker is stuck; fewer if they would come as fast as
 * heartbeats.
 */
const ROUNDS = 10;
const MIN_INTERVAL_MS = 500;

/** A watchdog without workers, and so without a timer. With a `timeoutMs` of 0 or less, no worker counts as stuck. */
export function createWatchdog(clock: Clock, timeoutMs: number): Watchdog {
  const entries = new Map<number, Entry>();
  const intervalMs = Math.max(timeoutMs / ROUNDS, MIN_INTERVAL_MS);
  const roundsUntilStuck = Math.ceil(timeoutMs / intervalMs);
  let round = 0;
  let lastMs = 0;
  let cancel: (() => void) | undefined;

  const schedule = (): void => {
    lastMs = clock.monotonicMs();
    cancel = clock.setTimer(intervalMs, checkAll);
  };

  const checkAll = (): void => {
    round += 1;
    const isLate = clock.monotonicMs() - lastMs > 2 * intervalMs;
    for (const [worker, entry] of [...entries]) {
      const beats = entry.beats();
      if (isLate || beats === 0 || beats !== entry.lastBeats) {
        entry.lastBeats = beats;
        entry.lastSeen = round;
      } else if (round - entry.lastSeen >= roundsUntilStuck) {
        entries.delete(worker);
        entry.onStuck(entry.lastSeen);
      }
    }
    if (entries.size > 0) schedule();
    else cancel = undefined;
  };

  return {
    get round() {
      return round;
    },
    watch(worker, watched) {
      if (timeoutMs <= 0) return;
      entries.set(worker, { ...watched, lastBeats: watched.beats(), lastSeen: round });
      if (cancel === undefined) schedule();
    },
    forget(worker) {
      entries.delete(worker);
      if (entries.size > 0) return;
      cancel?.();
      cancel = undefined;
    },
  };
}
