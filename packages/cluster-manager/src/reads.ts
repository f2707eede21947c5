/** Waiting for the log: until an entry is applied here, and for the index at which a read is safe. */
import type { Clock } from "@orrery/ports";
import { utf8Encode } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";
import { notElected } from "./problems.ts";

export interface Reads {
  /** True when the entry is applied here, false when the time was up first. Negative: no end. */
  appliedHere(index: number, timeoutMs: number): Promise<boolean>;
  /** To be called for each applied entry. */
  applied(index: number): void;
  /** A log index that holds everything acknowledged before the call; a majority has confirmed who is elected. */
  safeIndex(consensus: Consensus): Promise<number>;
  readable(id: string, index: number): void;
  /** Reads under way will get no confirmation. */
  lose(): void;
}

interface Waiter {
  readonly index: number;
  readonly settle: (isApplied: boolean) => void;
}

export function createReads(clock: Clock): Reads {
  const waiters = new Set<Waiter>();
  const reading = new Map<
    string,
    { readonly resolve: (index: number) => void; readonly reject: (error: Error) => void }
  >();
  let appliedIndex = 0;
  let nextId = 0;

  return {
    appliedHere: (index, timeoutMs) =>
      new Promise((resolve) => {
        if (appliedIndex >= index || timeoutMs === 0) {
          resolve(appliedIndex >= index);
          return;
        }
        const cancel =
          timeoutMs < 0 ? () => {} : clock.setTimer(timeoutMs, () => waiter.settle(false));
        const waiter: Waiter = {
          index,
          settle(isApplied) {
            cancel();
            waiters.delete(waiter);
            resolve(isApplied);
          },
        };
        waiters.add(waiter);
      }),
    applied(index) {
      appliedIndex = index;
      for (const waiter of [...waiters]) if (waiter.index <= index) waiter.settle(true);
    },
    safeIndex: (consensus) =>
      new Promise((resolve, reject) => {
        nextId += 1;
        const id = String(nextId);
        reading.set(id, { resolve, reject });
        consensus.requestRead(utf8Encode(id));
      }),
    readable(id, index) {
      reading.get(id)?.resolve(index);
      reading.delete(id);
    },
    lose() {
      for (const { reject } of reading.values()) {
        reject(notElected("node is no longer cluster-manager"));
      }
      reading.clear();
    },
  };
}
