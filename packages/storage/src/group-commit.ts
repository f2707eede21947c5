/**
 * Group commit: while one sync of a thing runs, all who ask for another share the next.
 *
 * A caller that comes while a sync runs cannot share that one: what it wrote may be too late for it.
 */

export interface GroupCommit {
  (): Promise<void>;
  readonly isIdle: boolean;
}

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
    // A failure belongs to those who asked for that sync; the next one is tried all the same.
    next ??= running.then(start, start);
    return next;
  };
  return Object.defineProperty(request, "isIdle", {
    get: () => running === undefined,
  }) as GroupCommit;
}
