/**
 * Work that is admitted: so much at a time, so much that waits in the order it came, and the rest refused at once.
 *
 * `offer` either starts the work, keeps it for later, or refuses it without having touched it. Whoever started a work or took it
 * back says so once, by `end`: then the first that waits is started.
 */

export interface PoolOptions<T> {
  /** So many are under way at a time. */
  readonly size: number;
  /** So many wait; -1: any number. */
  readonly queueSize: number;
  /**
   * So many are started before one of them has ended; default: `size`. More than `size` for work that mostly waits for something
   * else: then those above `size` count as waiting.
   */
  readonly startedAtMost?: number;
  readonly start: (work: T) => void;
  /** How many places a work takes; default: one. */
  readonly placesOf?: (work: T) => number;
}

export interface PoolCounts {
  readonly size: number;
  readonly queueSize: number;
  readonly active: number;
  readonly queue: number;
  /** The most that were ever under way. */
  readonly largest: number;
  readonly rejected: number;
  readonly completed: number;
}

export interface Pool<T> {
  /** False: there are too many. */
  offer(work: T): boolean;
  /** How many places are free or may be waited for. */
  room(): number;
  /** Work that was taken is over, or not wanted any more. */
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
