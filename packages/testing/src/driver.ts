/**
 * Driver of virtual time for a test: time stands still unless a caller waits for the cluster, or the test advances it. A
 * driver that follows the clock lets it pass as on the machine instead.
 *
 * Only one caller runs the event queue; callers that arrive meanwhile join its run.
 */
import type { EventQueue } from "@orrery/simulator";
import { followClock, type RealTime } from "./real-time.ts";

export interface Driver {
  /** Runs virtual time until the promise settles, and settles alike. Rejects if the driver ends or the run fails before. */
  drive<T>(promise: Promise<T>): Promise<T>;
  /** Advances virtual time, or waits for it if it follows the clock. */
  advance(ms: number): Promise<void>;
  /** From now on virtual time passes with the clock of the machine, until the driver ends. */
  followClock(): void;
  /** Number of promises being driven. */
  readonly outstanding: number;
  /** Ends the driver: pending and later callers are rejected with this error. */
  end(error: Error): void;
}

/** Virtual time between two turns of the real event loop, unless a promise settles sooner. */
const STRIDE_MS = 1000;

export function createDriver(queue: EventQueue): Driver {
  const callers = createCallers();
  const exclusively = oneAtATime();

  const stride = (): Promise<void> => {
    const before = callers.change;
    const isDone = (): boolean => callers.change !== before || callers.waiting === 0;
    return queue.run(queue.nowMs + STRIDE_MS, isDone);
  };

  const pump = async (): Promise<void> => {
    while (callers.waiting > 0) {
      await exclusively(stride);
      await turnOfTheMachine();
    }
  };
  let pumping: Promise<void> | undefined;
  let realTime: RealTime | undefined;

  /** Settles when nothing drives the callers any more; rejects with the error of the simulation. */
  const driving = (): Promise<void> => {
    if (realTime !== undefined) return realTime.ended;
    pumping ??= pump().finally(() => {
      pumping = undefined;
    });
    return pumping;
  };

  return {
    get outstanding() {
      return callers.waiting;
    },
    drive: (promise) => callers.wait(promise, driving),
    advance: (ms) =>
      realTime === undefined ? exclusively(() => queue.run(queue.nowMs + ms)) : realTime.wait(ms),
    followClock: () => {
      realTime ??= followClock({
        queue,
        exclusively,
        isBusy: () => callers.waiting > 0,
        isOver: () => callers.isOver,
      });
    },
    end: callers.end,
  };
}

/** Callers that wait for the cluster. */
interface Callers {
  readonly waiting: number;
  /** Incremented whenever a promise is added or settles. */
  readonly change: number;
  readonly isOver: boolean;
  /** Settles as the promise does; rejects if the driver ends before, or with the error of what drives it. */
  wait<T>(promise: Promise<T>, driving: () => Promise<void>): Promise<T>;
  end(error: Error): void;
}

function createCallers(): Callers {
  /** Functions that reject the pending callers. */
  const waiting = new Set<(error: Error) => void>();
  let over: Error | undefined;
  let change = 0;
  return {
    get waiting() {
      return waiting.size;
    },
    get change() {
      return change;
    },
    get isOver() {
      return over !== undefined;
    },
    wait: (promise, driving) =>
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
        // An error of the simulation rejects every pending caller.
        if (over === undefined) driving().catch(reject);
      }),
    end: (error) => {
      over = error;
      change += 1;
      for (const giveUp of waiting) giveUp(error);
      waiting.clear();
    },
  };
}

/** Runs functions one after another. */
function oneAtATime(): (run: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (run) => {
    last = last.then(run, run);
    return last;
  };
}

/** A turn of the real event loop: responses are sent and new requests arrive. */
function turnOfTheMachine(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
