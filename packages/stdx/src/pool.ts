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
  /** Work that was taken is over, or not wanted any more. */
  end(work: T): void;
  counts(): PoolCounts;
}

export function createPool<T>(options: PoolOptions<T>): Pool<T> {
  const { size, queueSize, start, startedAtMost = size } = options;
  const limit = queueSize < 0 ? Infinity : size + queueSize;
  const waiting = new Set<T>();
  let started = 0;
  let largest = 0;
  let rejected = 0;
  let completed = 0;

  return {
    offer(work) {
      const held = started + waiting.size;
      if (held >= limit) {
        rejected += 1;
        return false;
      }
      if (started >= startedAtMost) {
        waiting.add(work);
        return true;
      }
      started += 1;
      if (started > largest) largest = Math.min(size, started);
      start(work);
      return true;
    },
    end(work) {
      if (waiting.size > 0 && waiting.delete(work)) return;
      completed += 1;
      for (const next of waiting) {
        // It takes the place of the one that ended.
        waiting.delete(next);
        start(next);
        return;
      }
      started -= 1;
    },
    counts() {
      const active = Math.min(size, started);
      const queue = started + waiting.size - active;
      return { size, queueSize, active, queue, largest, rejected, completed };
    },
  };
}
