/** A binary heap: the first item to come out is before all others by `isBefore`. */

/** A priority queue. Items of equal priority come out in no particular order. */
export interface Heap<T> {
  readonly size: number;
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
  /** Removes items for which `isKept` is false. */
  keep(isKept: (item: T) => boolean): void;
}

export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const swapUp = (start: number): void => {
    let at = start;
    const item = items[at] as T;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(item, items[parent] as T)) break;
      items[at] = items[parent] as T;
      at = parent;
    }
    items[at] = item;
  };
  const sinkDown = (item: T, start = 0): void => {
    let at = start;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= items.length) break;
      const isRightBefore =
        child + 1 < items.length && isBefore(items[child + 1] as T, items[child] as T);
      if (isRightBefore) child += 1;
      if (!isBefore(items[child] as T, item)) break;
      items[at] = items[child] as T;
      at = child;
    }
    items[at] = item;
  };
  return {
    get size() {
      return items.length;
    },
    push: (item) => swapUp(items.push(item) - 1),
    peek: () => items[0],
    pop: () => {
      const first = items[0];
      const last = items.pop();
      if (items.length > 0) sinkDown(last as T);
      return first;
    },
    keep: (isKept) => {
      let kept = 0;
      for (const item of items) {
        if (!isKept(item)) continue;
        items[kept] = item;
        kept += 1;
      }
      items.length = kept;
      for (let at = (kept >> 1) - 1; at >= 0; at -= 1) sinkDown(items[at] as T, at);
    },
  };
}
