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
}

/** So much virtual time before the machine has its turn, if nobody was answered meanwhile. */
const STRIDE_MS = 1000;

export function createDriver(queue: EventQueue): Driver {
  let outstanding = 0;
  /** Changes whenever a promise comes or ends. */
  let change = 0;
  let last: Promise<void> = Promise.resolve();

  const exclusively = (run: () => Promise<void>): Promise<void> => {
    last = last.then(run, run);
    return last;
  };

  const stride = (): Promise<void> => {
    const before = change;
    return queue.run(queue.nowMs + STRIDE_MS, () => change !== before || outstanding === 0);
  };

  const pump = async (): Promise<void> => {
    while (outstanding > 0) {
      await exclusively(stride);
      // Answers go out, and other requests come in.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  };
  let pumping: Promise<void> | undefined;

  return {
    get outstanding() {
      return outstanding;
    },
    drive: async (promise) => {
      outstanding += 1;
      change += 1;
      const done = promise.finally(() => {
        outstanding -= 1;
        change += 1;
      });
      // Heard below.
      done.catch(() => undefined);
      pumping ??= pump().finally(() => {
        pumping = undefined;
      });
      // What breaks the simulation breaks whoever waits for it.
      const broken = pumping.then(() => done);
      return Promise.race([done, broken]);
    },
    advance: (ms) => exclusively(() => queue.run(queue.nowMs + ms)),
  };
}
