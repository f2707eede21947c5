/**
 * Scheduling of requests with bodies: many that arrive at once start in turns of limited length. Between two turns
 * other work runs: requests without bodies, responses, and messages of other nodes.
 */

const TURN_MS = 10;

export interface Turns {
  /** Waits for the request's turn, in the order of the calls; `undefined` if it may start now. */
  next(): Promise<void> | undefined;
}

export function createTurns(turnMs: number = TURN_MS): Turns {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  let endMs = 0;

  const open = (): void => {
    isOpen = true;
    endMs = performance.now() + turnMs;
    setImmediate(close);
  };

  const close = (): void => {
    isOpen = false;
    if (waiting.length > 0) void goOn();
  };

  const goOn = async (): Promise<void> => {
    open();
    let begun = 0;
    do {
      waiting[begun]?.();
      begun += 1;
      // Two microtask turns: by then the request, whose promise was resolved first, has started.
      await Promise.resolve();
      await Promise.resolve();
    } while (begun < waiting.length && performance.now() < endMs);
    waiting.splice(0, begun);
  };

  return {
    next() {
      if (!isOpen && waiting.length === 0) open();
      if (waiting.length === 0 && performance.now() < endMs) return undefined;
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
  };
}
