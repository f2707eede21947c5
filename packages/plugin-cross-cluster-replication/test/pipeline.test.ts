/** Operations on their way from a leader's shard: in their order, several at a time, none left out. */
import { forSeedsAsync } from "@orrery/seeds";
import { createEventQueue } from "@orrery/simulator";
import { createRandom, type Random } from "@orrery/stdx";
import { expect, test } from "vitest";
import { runPipeline, type Limits } from "../src/follower/pipeline.ts";
import type { ChangesResponse } from "../src/messages.ts";

interface World {
  readonly written: number[];
  readonly settledAt: number[];
  mostReaders: number;
  mostWriters: number;
  newsReaders: number;
}

interface Plan {
  readonly limits: () => Limits;
  /** What the leader has at a time. */
  readonly checkpoint: (nowMs: number) => number;
  /** At most so many operations in one answer, whatever is asked for. */
  readonly answer?: number;
  readonly failAt?: number;
  /** Nothing more is expected after so many. */
  readonly enough: number;
}

async function flow(random: Random, plan: Plan) {
  const queue = createEventQueue(createRandom(`order-${random.int(0, 1e6)}`));
  const world: World = {
    written: [],
    settledAt: [],
    mostReaders: 0,
    mostWriters: 0,
    newsReaders: 0,
  };
  const after = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      queue.schedule(ms, resolve);
    });
  let readers = 0;
  let writers = 0;
  let isOver = false;
  let wake = (): void => undefined;
  const read = async (range: { from: number; to: number }, isLongPoll: boolean) => {
    readers += 1;
    if (isLongPoll) {
      world.newsReaders += 1;
      expect(readers, "who waits for news is alone").toBe(1);
    }
    world.mostReaders = Math.max(world.mostReaders, readers);
    await after(random.int(1, 50));
    while (isLongPoll && plan.checkpoint(queue.nowMs) < range.from && !isOver) await after(20);
    readers -= 1;
    const globalCheckpoint = plan.checkpoint(queue.nowMs);
    const lastSeqNo = Math.min(range.to, globalCheckpoint, range.from + (plan.answer ?? 1e9) - 1);
    const count = Math.max(0, lastSeqNo - range.from + 1);
    return { count, lastSeqNo, globalCheckpoint } as ChangesResponse;
  };
  const ended = runPipeline({
    from: 0,
    limits: plan.limits,
    read,
    write: async (batch, own, before) => {
      writers += 1;
      world.mostWriters = Math.max(world.mostWriters, writers);
      if (plan.failAt !== undefined && batch.to >= plan.failAt) throw new Error("no more");
      await after(random.int(1, 80));
      own.sent();
      while (!before.isOver) await before.awaitBeyond(before.count);
      for (let seqNo = batch.from; seqNo <= batch.to; seqNo += 1) world.written.push(seqNo);
      writers -= 1;
    },
    onProgress: async () => {
      await after(5);
      world.settledAt.push(world.written.length);
    },
    isOver: () => isOver,
    onOver: (call) => {
      wake = call;
      return () => undefined;
    },
  });
  let failure: unknown;
  let isEnded = false;
  ended
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isEnded = true;
    });
  await queue.run(queue.nowMs + 300_000, () => isEnded || world.written.length >= plan.enough);
  await queue.run(queue.nowMs + 1000);
  isOver = true;
  wake();
  await queue.run(queue.nowMs + 1000);
  expect(isEnded).toBe(true);
  return { world, failure };
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, seqNo) => seqNo);

test("INV-FOLLOW-1: every operation is written once, in its order, whatever answers are like", async () => {
  await forSeedsAsync(100, async (random) => {
    const last = random.int(0, 600);
    const limits = {
      readers: random.int(1, 5),
      writers: random.int(1, 5),
      batch: random.int(1, 60),
    };
    const growth = random.int(0, 40);
    const { world, failure } = await flow(random, {
      limits: () => limits,
      checkpoint: (nowMs) => Math.min(last, nowMs * growth),
      answer: random.int(1, 70),
      enough: growth === 0 ? 1 : last + 1,
    });

    expect(failure).toBeUndefined();
    expect(world.written).toEqual(upTo(growth === 0 ? 0 : last));
    expect(world.mostReaders).toBeLessThanOrEqual(limits.readers);
    expect(world.mostWriters).toBeLessThanOrEqual(limits.writers);
    // The lease is moved along after the last of them, too.
    expect(world.settledAt.at(-1)).toBe(world.written.length);
  });
});

test("as many readers and writers work as there may, when there is much to do", async () => {
  const limits = { readers: 3, writers: 2, batch: 10 };
  const { world } = await flow(createRandom("busy"), {
    limits: () => limits,
    checkpoint: () => 1999,
    enough: 2000,
  });

  expect(world.written).toEqual(upTo(1999));
  expect([world.mostReaders, world.mostWriters]).toEqual([3, 2]);
});

test("settings that change on the way hold from the next batch on", async () => {
  let limits = { readers: 1, writers: 1, batch: 10 };
  const { world } = await flow(createRandom("change"), {
    limits: () => limits,
    checkpoint: (nowMs) => {
      if (nowMs > 500) limits = { readers: 4, writers: 4, batch: 10 };
      return 999;
    },
    enough: 1000,
  });

  expect(world.written).toEqual(upTo(999));
  expect([world.mostReaders, world.mostWriters]).toEqual([4, 4]);
});

test("what fails ends it: nothing behind the failure is written", async () => {
  await forSeedsAsync(20, async (random) => {
    const { world, failure } = await flow(random, {
      limits: () => ({ readers: 3, writers: 3, batch: 7 }),
      checkpoint: () => 300,
      failAt: 100,
      enough: 301,
    });

    expect(failure).toMatchObject({ message: "no more" });
    expect(world.written).toEqual(upTo(world.written.length - 1));
    expect(world.written.length).toBeLessThanOrEqual(100);
  });
});
