/**
 * Who may operate on a copy: many operations at once, or one change of the copy as a whole while none runs.
 *
 * Operations that come while a change waits or runs queue up behind it, in order.
 */

import { createWorkList, type Work } from "@orrery/ports";

export type Release = () => void;

export interface Permits {
  readonly active: number;
  /** `undefined`: blocked; use `acquire`. */
  tryAcquire(): Release | undefined;
  acquire(): Promise<Release>;
  /** Runs when no operation holds a permit, and keeps new ones waiting until it ends. One at a time. */
  blockAll<T>(run: () => Promise<T>): Promise<T>;
  /** Who holds permits, who blocks them, who waits for them. */
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
