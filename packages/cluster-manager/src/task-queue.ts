/**
 * Queue of the elected cluster manager (`PrioritizedOpenSearchThreadPoolExecutor`, `TaskBatcher`): by priority, then in
 * order of arrival. Taking the first item takes all items of its batch, whatever their priority.
 */
import { appendAll } from "@orrery/stdx";
import { priorityOrder } from "./priorities.ts";
import type { TaskPriority } from "./types.ts";

/** An item that waits in the queue. */
export interface Queued {
  /** Number of the item within the term, as `_cluster/pending_tasks` shows it. */
  readonly insertOrder: number;
  readonly priority: TaskPriority;
  readonly source: string;
  /** Monotonic time at which the item was enqueued. */
  readonly queuedAtMs: number;
  /** Items of one batch are taken together; an item without a batch is taken alone. */
  readonly batch: string | undefined;
}

export interface TaskQueue<Item extends Queued> {
  push(item: Item): void;
  /** The first of the most urgent items; undefined when the queue is empty. */
  peek(): Item | undefined;
  /** Removes the first item and the others of its batch, in order of priority. */
  take(): readonly Item[];
  /** Puts taken items back in front of their priorities, in their order. */
  putBack(items: readonly Item[]): void;
  /** Removes an item; false when it was taken or removed before. */
  remove(item: Item): boolean;
  items(): readonly Item[];
}

/** An empty queue. Lanes are replaced, not mutated, so that `items` may be iterated while items are removed. */
export function createTaskQueue<Item extends Queued>(): TaskQueue<Item> {
  const lanes = new Map<TaskPriority, readonly Item[]>();
  for (const priority of priorityOrder) lanes.set(priority, []);
  const lane = (priority: TaskPriority): readonly Item[] => lanes.get(priority) ?? [];

  const peek = (): Item | undefined => {
    for (const items of lanes.values()) if (items[0] !== undefined) return items[0];
    return undefined;
  };

  return {
    push: (item) => void lanes.set(item.priority, [...lane(item.priority), item]),
    peek,
    take() {
      const first = peek();
      if (first === undefined) return [];
      const isTaken = (item: Item): boolean =>
        item === first || (first.batch !== undefined && item.batch === first.batch);
      const taken: Item[] = [];
      for (const [priority, items] of lanes) {
        appendAll(taken, items.filter(isTaken));
        lanes.set(
          priority,
          items.filter((item) => !isTaken(item)),
        );
      }
      return taken;
    },
    putBack(items) {
      for (const item of items.toReversed()) {
        lanes.set(item.priority, [item, ...lane(item.priority)]);
      }
    },
    remove(item) {
      const items = lane(item.priority);
      lanes.set(
        item.priority,
        items.filter((other) => other !== item),
      );
      return items.includes(item);
    },
    items: () => [...lanes.values()].flat(),
  };
}
