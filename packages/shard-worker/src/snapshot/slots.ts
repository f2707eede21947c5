/** A limit of concurrent work. Work above the limit waits, in the order in which it came. */

export interface Slots {
  /** Resolves with the function that frees the slot, to be called once. */
  enter(): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  let waiting: readonly (() => void)[] = [];
  const leave = (): void => {
    const [next, ...others] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting = others;
    next();
  };
  return {
    async enter() {
      if (free > 0) free -= 1;
      else
        await new Promise<void>((resolve) => {
          waiting = [...waiting, resolve];
        });
      return leave;
    },
  };
}
