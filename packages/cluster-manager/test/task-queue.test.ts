/** The order in which waiting work is taken. */
import { describe, expect, test } from "vitest";
import { createTaskQueue, type Queued } from "../src/task-queue.ts";
import type { TaskPriority } from "../src/types.ts";

let order = 0;
const item = (source: string, priority: TaskPriority, batch?: string): Queued => {
  order += 1;
  return { insertOrder: order, priority, source, queuedAtMs: 0, batch };
};
const sources = (items: readonly Queued[]): string[] => items.map(({ source }) => source);

describe("the task queue", () => {
  test("gives the most urgent first, and equals in order of arrival", () => {
    const queue = createTaskQueue<Queued>();
    for (const [source, priority] of [
      ["a", "NORMAL"],
      ["b", "URGENT"],
      ["c", "IMMEDIATE"],
      ["d", "URGENT"],
    ] as const) {
      queue.push(item(source, priority));
    }

    const taken = [queue.take(), queue.take(), queue.take(), queue.take(), queue.take()];

    expect(taken.map(sources)).toEqual([["c"], ["b"], ["d"], ["a"], []]);
  });

  test("gives a group as a whole, across priorities", () => {
    const queue = createTaskQueue<Queued>();
    queue.push(item("join", "URGENT", "membership"));
    queue.push(item("create", "URGENT"));
    queue.push(item("left", "IMMEDIATE", "membership"));

    expect(sources(queue.take())).toEqual(["left", "join"]);
    expect(sources(queue.take())).toEqual(["create"]);
  });

  test("takes back what could not be proposed, in front", () => {
    const queue = createTaskQueue<Queued>();
    queue.push(item("a", "HIGH", "routing"));
    queue.push(item("b", "HIGH", "routing"));
    const taken = queue.take();
    queue.push(item("c", "HIGH"));

    queue.putBack(taken);

    expect(sources(queue.items())).toEqual(["a", "b", "c"]);
  });
});
