/** First in, first out, up to a weight: what does not fit is refused, so a slow reader is felt by the writer. */

export interface BoundedQueue<T> {
  readonly size: number;
  readonly weight: number;
  /** False when the item would exceed the limit; an empty queue takes one item of any weight. */
  offer(item: T, weight: number): boolean;
  take(): T | undefined;
  clear(): void;
}

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
      // What was taken must not stay alive here.
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
