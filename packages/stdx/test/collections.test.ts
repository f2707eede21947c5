/** The heap, the bounded queue, chance, and near misses. */
import { forSeeds } from "@orrery/seeds";
import { expect, test } from "vitest";
import {
  compareText,
  createBoundedQueue,
  createHeap,
  createRandom,
  similar,
} from "../src/index.ts";

test("a heap gives what was pushed and kept in order, with pushes and pops mixed", () => {
  forSeeds(200, (random) => {
    const heap = createHeap<number>((a, b) => a < b);
    const model: number[] = [];
    for (let i = 0; i < 100; i += 1) {
      if (random.int(0, 2) > 0) {
        const value = random.int(0, 50);
        heap.push(value);
        model.push(value);
      } else if (random.int(0, 20) === 0) {
        const divisor = random.int(2, 5);
        heap.keep((value) => value % divisor > 0);
        model.splice(0, model.length, ...model.filter((value) => value % divisor > 0));
      } else {
        model.sort((a, b) => a - b);
        expect(heap.peek()).toBe(model[0]);
        expect(heap.pop()).toBe(model.shift());
      }
      expect(heap.size).toBe(model.length);
    }
  });
});

test("a bounded queue keeps order and never exceeds its limit, but for one item alone", () => {
  forSeeds(200, (random) => {
    const limit = 100;
    const queue = createBoundedQueue<number>(limit);
    const model: { item: number; weight: number }[] = [];
    for (let i = 0; i < 200; i += 1) {
      if (random.int(0, 1) === 0) {
        const weight = random.int(0, 130);
        const total = model.reduce((sum, entry) => sum + entry.weight, 0);
        const fits = model.length === 0 || total + weight <= limit;
        expect(queue.offer(i, weight)).toBe(fits);
        if (fits) model.push({ item: i, weight });
      } else {
        expect(queue.take()).toBe(model.shift()?.item);
      }
      expect(queue.size).toBe(model.length);
      expect(queue.weight).toBe(model.reduce((sum, { weight }) => sum + weight, 0));
    }
  });
});

test("a bounded queue that is never empty stays in order through thousands of items", () => {
  const queue = createBoundedQueue<number>(10);
  queue.offer(0, 1);
  const taken: (number | undefined)[] = [];
  for (let i = 1; i <= 5000; i += 1) {
    queue.offer(i, 1);
    taken.push(queue.take());
  }

  expect(taken).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  queue.clear();
  expect([queue.size, queue.weight, queue.take()]).toEqual([0, 0, undefined]);
});

test("the same seed draws the same numbers, another seed others", () => {
  const draw = (seed: string): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => random.int(0, 1000));
  };

  expect(draw("a")).toEqual(draw("a"));
  expect(draw("a")).not.toEqual(draw("b"));
});

test("draws stay in their bounds and reach both of them", () => {
  const random = createRandom("bounds");
  const drawn = Array.from({ length: 1000 }, () => random.int(3, 6));

  expect(new Set(drawn)).toEqual(new Set([3, 4, 5, 6]));
  expect(() => random.pick([])).toThrow(RangeError);
});

test("shuffling keeps every item and leaves the original alone", () => {
  forSeeds(50, (random) => {
    const items = Array.from({ length: 10 }, (_, i) => i);

    const shuffled = random.shuffle(items);

    expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
    expect(items).toEqual(Array.from({ length: 10 }, (_, i) => i));
  });
});

test("near misses come best first, unlike words not at all", () => {
  const known = ["size", "sort", "seq_no", "stored_fields"];

  expect(similar("sizze", known)).toEqual(["size"]);
  expect(similar("sore", known)).toEqual(["sort"]);
  expect(similar("zzz", known)).toEqual([]);
});

test("texts compare by code unit, never by locale", () => {
  expect(["b", "Z", "ä", "a", "B"].toSorted(compareText)).toEqual(["B", "Z", "a", "b", "ä"]);
});
