/**
 * A queue, first in, first out, with a limit of total weight: an item that does not fit is refused, so that a slow
 * reader slows the writer down.
 */

/** A first-in, first-out queue whose items have weights. The caller chooses the unit of a weight, such as bytes. */
export interface BoundedQueue<T> {
  readonly size: number;
  readonly weight: number;
  /** `false`: the item would exceed the limit. An empty queue accepts one item of any weight. */
  offer(item: T, weight: number): boolean;
  take(): T | undefined;
  clear(): void;
}

/** Makes an empty queue; `limit` is the greatest total weight of its items. */
export function createBoundedQueue<T>(limit: number): BoundedQueue<T> {
  let items: ({ readonly item: T; readonly weight: number } | undefined)[] = [];
  let head = 0;
  let total = 0;
  const clear = (): void => {
    items = [];
    head = 0;
    total = 0;
  };
  return {
    get size() {
      return items.length - head;
    },
    get weight() {
      return total;
    },
    offer: (item, weight) => {
      if (items.length > head && total + weight > limit) return false;
      items.push({ item, weight });
      total += weight;
      return true;
    },
    take: () => {
      const first = items[head];
      if (first === undefined) return undefined;
      // The queue must not keep a removed item alive.
      items[head] = undefined;
      head += 1;
      total -= first.weight;
      if (head === items.length) clear();
      else if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return first.item;
    },
    clear,
  };
}
