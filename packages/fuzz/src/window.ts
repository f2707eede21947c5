/**
 * Cases under way beside each other, and which of them may have caused what is seen beside them: those under way then, and those
 * that ended since the world was last seen to be well.
 */
import { EventEmitter, once } from "node:events";

export interface Window {
  /** Numbers of cases under way. */
  readonly size: number;
  /** Starts the case with the next number, as soon as fewer than the limit are at work: those that wait for something cost nothing. */
  start(run: (at: number) => Promise<void>): Promise<void>;
  /** Cases whose end came before this moment are no suspects of what is seen later. */
  markWell(sinceMs: number): void;
  suspects(): readonly number[];
  /** Resolves when no case is under way that started less than so long ago. */
  drained(patienceMs: number): Promise<void>;
}

/** Work that a node does after its answer may end the node a little later. */
const AFTERWARDS_MS = 1000;
/** A case that takes so long waits, and so many times the limit may do so. */
const WAITING_MS = 500;
const MOST_WAITING = 8;

export function createWindow(limit: number, nowMs: () => number): Window {
  const underWay = new Map<number, number>();
  const ended = new Map<number, number>();
  const changes = new EventEmitter().setMaxListeners(0);
  let next = 0;

  const youngest = (patienceMs: number): number =>
    [...underWay.values()].filter((startedMs) => nowMs() - startedMs < patienceMs).length;

  /** The end of a case, or a little time. */
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
      // A rejection is a fault of the fuzzer: it ends the thread.
      void run(at).finally(over);
    },
    markWell(sinceMs) {
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
