/** When an idle thread collects its garbage. */
import { expect, test } from "vitest";
import { createIdleCollector } from "../src/idle-collector.ts";

const MB = 1024 * 1024;

/** A heap of which so much is in use, and the rest garbage. */
function createFakeHeap() {
  const heap = { used: 100 * MB, garbage: 0, busy: 0, collections: 0 };
  const look = createIdleCollector({
    bytes: () => heap.used + heap.garbage,
    utilization: () => heap.busy,
    collect: () => {
      heap.collections += 1;
      heap.garbage = 0;
    },
  });
  return { heap, look };
}

test("a heap that a burst left behind is collected once the thread is idle, and not before", () => {
  const { heap, look } = createFakeHeap();
  heap.garbage = 900 * MB;
  heap.busy = 0.5;
  look();
  const whileBusy = heap.collections;

  heap.busy = 0.02;
  look();
  look();

  expect([whileBusy, heap.collections, heap.garbage]).toEqual([0, 1, 0]);
});

test("a large heap that is in use is collected once", () => {
  const { heap, look } = createFakeHeap();
  heap.used = 900 * MB;

  for (let interval = 0; interval < 5; interval += 1) look();

  expect(heap.collections).toBe(1);
});

test("the garbage of usual work is left to the engine", () => {
  const { heap, look } = createFakeHeap();
  heap.garbage = 60 * MB;

  look();

  expect(heap.collections).toBe(0);
});
