/**
 * Permits of a copy (`IndexShardOperationPermits`): many operations hold one each, or one change of the copy as a
 * whole blocks them all. Operations that arrive while a block waits or runs queue behind it, in order, so that a
 * stream of writes cannot delay it for ever.
 */

import { createWorkList, type Work } from "@orrery/ports";

/** Returns a permit. A second call has no effect. */
export type Release = () => void;

export interface Permits {
  /** Permits that operations hold. */
  readonly active: number;
  /** Acquires a permit at once; `undefined`: a block waits or runs, for whose end `acquire` waits. */
  tryAcquire(): Release | undefined;
  acquire(): Promise<Release>;
  /**
   * Calls `run` when no operation holds a permit; new operations wait until it ends. Blocks run one after the other, also
   * after one that rejects.
   */
  blockAll<T>(run: () => Promise<T>): Promise<T>;
  /** Permits held, operations queued and blocks, for the search for leaks. */
  work(): readonly Work[];
}

export function createPermits(): Permits {
  const work = createWorkList();
  let active = 0;
  let blockers = 0;
  let lastBlock: Promise<unknown> = Promise.resolve();
  let onIdle: (() => void) | undefined;
  let waiting: (() => void)[] = [];

  const take = (): Release => {
    active += 1;
    const end = work.begin("permit");
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      active -= 1;
      end();
      if (active === 0) onIdle?.();
    };
  };
  const idle = (): Promise<void> =>
    active === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          onIdle = () => {
            onIdle = undefined;
            resolve();
          };
        });
  const unblock = (): void => {
    blockers -= 1;
    if (blockers > 0) return;
    // Taken before the first one runs: it may queue again behind a new block.
    const queued = waiting;
    waiting = [];
    for (const go of queued) go();
  };
  return {
    get active() {
      return active;
    },
    tryAcquire: () => (blockers === 0 ? take() : undefined),
    acquire: () =>
      blockers === 0
        ? Promise.resolve(take())
        : new Promise((resolve) => {
            const end = work.begin("queued");
            waiting.push(() => {
              end();
              resolve(take());
            });
          }),
    blockAll: (run) => {
      blockers += 1;
      const end = work.begin("block");
      const turn = lastBlock
        // The failure of the block before belongs to its caller.
        .catch(() => undefined)
        .then(idle)
        .then(run)
        .finally(() => {
          end();
          unblock();
        });
      lastBlock = turn;
      return turn;
    },
    work: work.all,
  };
}
