/**
 * Waits on the log: for an entry to be applied here, and for a read index (Raft thesis section 6.4).
 *
 * A read index is confirmed by a round of heartbeats: a majority of the voters is still in this term, so no other node
 * can have committed anything that the index does not cover (INV-READ-1).
 */
import type { Clock } from "@orrery/ports";
import { utf8Encode } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";
import { notElected } from "./problems.ts";

/** The waits of one node for an applied index or a confirmed read. */
export interface Reads {
  /** True when the entry is applied here, false after the timeout. A negative timeout never expires. */
  appliedHere(index: number, timeoutMs: number): Promise<boolean>;
  /** Resolves waits; called for each applied index, in order. */
  applied(index: number): void;
  /** A log index that covers everything acknowledged before the call. Rejects when the term ends. */
  safeIndex(consensus: Consensus): Promise<number>;
  /** Resolves the read of this id; unknown ids are ignored. */
  readable(id: string, index: number): void;
  /** Rejects all reads that are not confirmed, when the term ends. */
  lose(): void;
}

interface Waiter {
  readonly index: number;
  readonly settle: (isApplied: boolean) => void;
}

/** The waits of a node that has applied no entry; none is pending. */
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
