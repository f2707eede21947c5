/** What waits for the elected cluster manager: by priority, then in order of arrival; groups are taken together. */
import { appendAll } from "@orrery/stdx";
import { priorityOrder } from "./priorities.ts";
import type { TaskPriority } from "./types.ts";

export interface Queued {
  readonly insertOrder: number;
  readonly priority: TaskPriority;
  readonly source: string;
  readonly queuedAtMs: number;
  /** Items of one group are taken together; `undefined`: alone. */
  readonly batch: string | undefined;
}

export interface TaskQueue<Item extends Queued> {
  push(item: Item): void;
  peek(): Item | undefined;
  /** The most urgent item, with all others of its group; urgent ones first. */
  take(): readonly Item[];
  /** Puts back what was taken, in front of its priority. */
  putBack(items: readonly Item[]): void;
  /** False when it is not here any more. */
  remove(item: Item): boolean;
  items(): readonly Item[];
}

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
