/**
 * Group commit: while one sync of a file runs, all further requests share the next one.
 *
 * A request during a running sync cannot share that one, which may have begun before the request's data was written.
 */

/** Requests a sync; resolves when a sync that began after the call has ended. */
export interface GroupCommit {
  (): Promise<void>;
  readonly isIdle: boolean;
}

/** Makes a group commit over `sync`; `onIdle` is called when a sync has ended and no other was requested. */
export function createGroupCommit(sync: () => Promise<void>, onIdle: () => void): GroupCommit {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const start = (): Promise<void> => {
    next = undefined;
    running = sync().finally(() => {
      if (next !== undefined) return;
      running = undefined;
      onIdle();
    });
    return running;
  };

  const request = (): Promise<void> => {
    if (running === undefined) return start();
    // A failed sync rejects its own requests only; the next sync runs nevertheless.
    next ??= running.then(start, start);
    return next;
  };
  return Object.defineProperty(request, "isIdle", {
    get: () => running === undefined,
  }) as GroupCommit;
}
