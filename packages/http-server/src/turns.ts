/**
 * When many requests with bodies come at once, they are begun for so long at a stretch; then whatever else has come goes first: the
 * few that bring no work along, answers, what other nodes say.
 */

const TURN_MS = 10;

export interface Turns {
  /** `undefined`: now. Otherwise when its turn has come, in the order they asked. */
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
      // It has begun when this goes on: its promise was settled first.
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
