/** Admission: what a pool starts, keeps, refuses. */
import { forSeeds } from "@orrery/seeds";
import { expect, test } from "vitest";
import { createPool } from "../src/index.ts";

function poolOf(options: { size: number; queueSize: number; startedAtMost?: number }) {
  const started: number[] = [];
  const pool = createPool<number>({ ...options, start: (work) => void started.push(work) });
  return { pool, started };
}

test("so many start, so many wait, the rest is refused untouched", () => {
  const { pool, started } = poolOf({ size: 2, queueSize: 3 });

  const taken = [1, 2, 3, 4, 5, 6, 7].map((work) => pool.offer(work));

  expect(taken).toEqual([true, true, true, true, true, false, false]);
  expect(started).toEqual([1, 2]);
  expect(pool.counts()).toMatchObject({ active: 2, queue: 3, rejected: 2, completed: 0 });
});

test("what waits starts in the order it came, when a place is free", () => {
  const { pool, started } = poolOf({ size: 1, queueSize: 3 });
  for (const work of [1, 2, 3]) pool.offer(work);

  pool.end(1);
  pool.end(2);

  expect(started).toEqual([1, 2, 3]);
  expect(pool.counts()).toMatchObject({ active: 1, queue: 0, completed: 2 });
});

test("queued work that is ended never starts, and is not counted as completed", () => {
  const { pool, started } = poolOf({ size: 1, queueSize: 3 });
  for (const work of [1, 2, 3]) pool.offer(work);

  pool.end(2);
  pool.end(1);

  expect(started).toEqual([1, 3]);
  expect(pool.counts()).toMatchObject({ active: 1, queue: 0, completed: 1 });
});

test("work that mostly waits starts at once, and what is above the size counts as waiting", () => {
  const { pool, started } = poolOf({ size: 1, queueSize: 2, startedAtMost: Infinity });

  const taken = [1, 2, 3, 4].map((work) => pool.offer(work));

  expect(taken).toEqual([true, true, true, false]);
  expect(started).toEqual([1, 2, 3]);
  expect(pool.counts()).toMatchObject({ active: 1, queue: 2, largest: 1, rejected: 1 });
});

test("a pool without a bound refuses nothing", () => {
  const { pool } = poolOf({ size: 1, queueSize: -1 });

  const taken = Array.from({ length: 5000 }, (_, work) => pool.offer(work));

  expect(taken.every(Boolean)).toBe(true);
  expect(pool.counts().queue).toBe(4999);
});

test("whatever comes and goes: never more under way than allowed, first in first out, nothing lost", () => {
  forSeeds(300, (random) => {
    const size = random.int(1, 5);
    const queueSize = random.int(0, 6);
    const { pool, started } = poolOf({ size, queueSize });
    const taken: number[] = [];
    const over = new Set<number>();
    for (let work = 1; work <= 60; work += 1) {
      if (pool.offer(work)) taken.push(work);
      while (random.int(0, 2) === 0) {
        const held = taken.filter((one) => !over.has(one));
        const one = held[random.int(0, Math.max(1, held.length))];
        if (one === undefined) break;
        over.add(one);
        pool.end(one);
      }
      const running = started.filter((one) => !over.has(one));
      const waiting = taken.filter((one) => !over.has(one) && !started.includes(one));
      expect(running.length).toBeLessThanOrEqual(size);
      expect(waiting.length).toBeLessThanOrEqual(queueSize);
      if (waiting.length > 0) expect(running.length).toBe(size);
      expect(pool.counts()).toMatchObject({ active: running.length, queue: waiting.length });
    }
    expect(started).toEqual(started.toSorted((a, b) => a - b));
  });
});

test("a work takes as many places as it says, is refused when they are not all there, and waits for one alone", () => {
  const started: number[] = [];
  const pool = createPool<number>({
    size: 2,
    queueSize: 3,
    start: (work) => void started.push(work),
    placesOf: (work) => work,
  });

  const taken = [1, 3, 2, 1].map((work) => pool.offer(work));

  expect(taken).toEqual([true, true, false, true]);
  expect(started).toEqual([1, 3]);
  expect(pool.room()).toBe(0);
  expect(pool.counts()).toMatchObject({ active: 2, queue: 3, rejected: 2, completed: 0 });
  pool.end(3);
  expect(pool.counts()).toMatchObject({ active: 2, queue: 0, completed: 3 });
});
