/**
 * Virtual time under a test's control: it stands still unless somebody waits for the cluster, or the test moves it.
 *
 * The event queue is run by one at a time; whoever comes while it runs takes part in that run.
 */
import type { EventQueue } from "@orrery/simulator";

export interface Driver {
  /** Runs virtual time until the promise has ended, and ends as it does. */
  drive<T>(promise: Promise<T>): Promise<T>;
  /** Runs so many virtual milliseconds. */
  advance(ms: number): Promise<void>;
  /** Of promises that are driven at the moment. */
  readonly outstanding: number;
  /** Nothing goes on any more: whoever waits, or comes later, gets this error. */
  end(error: Error): void;
}

/** So much virtual time before the machine has its turn, if nobody was answered meanwhile. */
const STRIDE_MS = 1000;

export function createDriver(queue: EventQueue): Driver {
  /** What tells those who wait that they wait in vain. */
  const waiting = new Set<(error: Error) => void>();
  let over: Error | undefined;
  /** Changes whenever a promise comes or ends. */
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
      // Answers go out, and other requests come in.
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
      // What breaks the simulation breaks whoever waits for it.
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
