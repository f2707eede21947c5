/**
 * Window of concurrent cases, which determines the suspects of an observation: the cases pending at that time, and
 * those that ended since the world was last observed to be healthy.
 */
import { EventEmitter, once } from "node:events";

export interface Window {
  /** Numbers of pending cases. */
  readonly size: number;
  /** Starts the next case when fewer than the limit are working; waiting cases do not count. */
  start(run: (at: number) => Promise<void>): Promise<void>;
  /** Cases that ended before this moment are no suspects of later observations. */
  markHealthy(sinceMs: number): void;
  suspects(): readonly number[];
  /** Resolves when every pending case started less than this time ago. */
  drained(patienceMs: number): Promise<void>;
}

/** Time after a response within which its request may still end the node. */
const AFTERWARDS_MS = 1000;
/** Time after which a case counts as waiting; waiting cases are limited to a multiple of the limit. */
const WAITING_MS = 500;
const MOST_WAITING = 8;

export function createWindow(limit: number, nowMs: () => number): Window {
  const underWay = new Map<number, number>();
  const ended = new Map<number, number>();
  const changes = new EventEmitter().setMaxListeners(0);
  let next = 0;

  const youngest = (patienceMs: number): number =>
    [...underWay.values()].filter((startedMs) => nowMs() - startedMs < patienceMs).length;

  /** Resolves at the end of a case, or after a short time. */
  const change = async (): Promise<void> => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), 50);
    await once(changes, "end", { signal: waiting.signal }).catch(() => undefined);
    clearTimeout(timer);
  };

  return {
    get size() {
      return underWay.size;
    },
    async start(run) {
      while (youngest(WAITING_MS) >= limit || underWay.size >= limit * MOST_WAITING) await change();
      const at = next;
      next += 1;
      underWay.set(at, nowMs());
      const over = (): void => {
        underWay.delete(at);
        ended.set(at, nowMs());
        changes.emit("end");
      };
      // A rejection is a bug of the fuzzer, and ends the thread.
      void run(at).finally(over);
    },
    markHealthy(sinceMs) {
      for (const [at, endedMs] of ended) {
        if (endedMs < sinceMs - AFTERWARDS_MS) ended.delete(at);
      }
    },
    suspects: () => [...ended.keys(), ...underWay.keys()].toSorted((a, b) => a - b),
    async drained(patienceMs) {
      while (youngest(patienceMs) > 0) await change();
    },
  };
}
