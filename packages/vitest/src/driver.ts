/**
 * Driver of virtual time for a test: time stands still unless a caller waits for the cluster, or the test advances it.
 *
 * Only one caller runs the event queue; callers that arrive meanwhile join its run.
 */
import type { EventQueue } from "@orrery/simulator";

export interface Driver {
  /** Runs virtual time until the promise settles, and settles alike. Rejects if the driver ends or the run fails before. */
  drive<T>(promise: Promise<T>): Promise<T>;
  /** Advances virtual time. */
  advance(ms: number): Promise<void>;
  /** Number of promises being driven. */
  readonly outstanding: number;
  /** Ends the driver: pending and later callers are rejected with this error. */
  end(error: Error): void;
}

/** Virtual time between two turns of the real event loop, unless a promise settles sooner. */
const STRIDE_MS = 1000;

export function createDriver(queue: EventQueue): Driver {
  /** Functions that reject the pending callers. */
  const waiting = new Set<(error: Error) => void>();
  let over: Error | undefined;
  /** Incremented whenever a promise is added or settles. */
  let change = 0;
  let last: Promise<void> = Promise.resolve();

  const exclusively = (run: () => Promise<void>): Promise<void> => {
    last = last.then(run, run);
    return last;
  };

  const stride = (): Promise<void> => {
    const before = change;
    return queue.run(queue.nowMs + STRIDE_MS, () => change !== before || waiting.size === 0);
  };

  const pump = async (): Promise<void> => {
    while (waiting.size > 0) {
      await exclusively(stride);
      // A turn of the real event loop: responses are sent and new requests arrive.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  };
  let pumping: Promise<void> | undefined;

  const drive = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (over !== undefined) reject(over);
      else {
        waiting.add(reject);
        change += 1;
      }
      promise
        .finally(() => {
          waiting.delete(reject);
          change += 1;
        })
        .then(resolve, reject);
      if (over !== undefined) return;
      pumping ??= pump().finally(() => {
        pumping = undefined;
      });
      // An error of the simulation rejects every pending caller.
      pumping.catch(reject);
    });

  return {
    get outstanding() {
      return waiting.size;
    },
    drive,
    advance: (ms) => exclusively(() => queue.run(queue.nowMs + ms)),
    end: (error) => {
      over = error;
      change += 1;
      for (const giveUp of waiting) giveUp(error);
      waiting.clear();
    },
  };
}
