/**
 * Admission of work: a limited number is under way, a limited number waits in the order in which it came, and further
 * work is rejected at once. `offer` starts the work, queues it or rejects it, without touching it. Each admitted work
 * is ended once, by `end`, which starts the next that waits.
 */

export interface PoolOptions<T> {
  /** Work under way at a time. */
  readonly size: number;
  /** Work that may wait; -1: any number. */
  readonly queueSize: number;
  /**
   * Limit of work that is started and not ended; `size` when absent. A limit above `size` is for work that mostly waits
   * for something else: started work above `size` counts as queued.
   */
  readonly startedAtMost?: number;
  readonly start: (work: T) => void;
  /** The number of places that a work takes; 1 when absent. */
  readonly placesOf?: (work: T) => number;
}

/** Counts of a pool, as `_nodes/stats/thread_pool` shows them. The unit is a place; a work takes one or more. */
export interface PoolCounts {
  readonly size: number;
  readonly queueSize: number;
  readonly active: number;
  readonly queue: number;
  /** The most that were ever under way, up to `size`. */
  readonly largest: number;
  readonly rejected: number;
  readonly completed: number;
}

/** A pool; works are compared by identity. */
export interface Pool<T> {
  /** `false`: the work is rejected. */
  offer(work: T): boolean;
  /** Number of free places, those of the queue included. */
  room(): number;
  /** Admitted work has ended, or is not wanted any more. */
  end(work: T): void;
  counts(): PoolCounts;
}

export function createPool<T>(options: PoolOptions<T>): Pool<T> {
  const { size, queueSize, start, startedAtMost = size, placesOf = onePlace } = options;
  const limit = queueSize < 0 ? Infinity : size + queueSize;
  const waiting = new Set<T>();
  let waitingPlaces = 0;
  let started = 0;
  let largest = 0;
  let rejected = 0;
  let completed = 0;

  const begin = (work: T): void => {
    started += placesOf(work);
    if (started > largest) largest = Math.min(size, started);
    start(work);
  };

  return {
    offer(work) {
      const places = placesOf(work);
      if (started + waitingPlaces + places > limit) {
        rejected += places;
        return false;
      }
      if (started >= startedAtMost) {
        waiting.add(work);
        waitingPlaces += places;
      } else begin(work);
      return true;
    },
    room: () => limit - started - waitingPlaces,
    end(work) {
      const places = placesOf(work);
      if (waiting.size > 0 && waiting.delete(work)) {
        waitingPlaces -= places;
        return;
      }
      completed += places;
      started -= places;
      for (const next of waiting) {
        if (started >= startedAtMost) return;
        waiting.delete(next);
        waitingPlaces -= placesOf(next);
        begin(next);
      }
    },
    counts() {
      const active = Math.min(size, started);
      const queue = started + waitingPlaces - active;
      return { size, queueSize, active, queue, largest, rejected, completed };
    },
  };
}

function onePlace(): number {
  return 1;
}
