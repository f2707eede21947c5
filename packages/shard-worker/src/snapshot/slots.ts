/** So many at a time; others wait, and are let in in the order they came. */
export interface Slots {
  /** Ends when there is room; what it returns is to be called once, to make room again. */
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
