/** The order of events, and what is drained between two of them. */
import { clockContract } from "@orrery/ports/contract";
import { forSeedsAsync } from "@orrery/seeds";
import { createRandom } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createClockModel } from "../src/clock-model.ts";
import { createEventQueue } from "../src/event-queue.ts";
import { createVirtualWorld } from "./world.ts";

clockContract("simulated", () => {
  const { queue, random, settle } = createVirtualWorld();
  return { clock: createClockModel(queue, random("clock")), settle };
});

test("timers of one clock and one time call in the order they were set, whatever the seed", async () => {
  await forSeedsAsync(20, async (_random, seed) => {
    const { queue, random } = createVirtualWorld(seed);
    const clock = createClockModel(queue, random("clock"));
    const seen: number[] = [];

    for (let i = 0; i < 10; i += 1) clock.setTimer(5, () => seen.push(i));
    await queue.run(5);

    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

test("a timer for what is left of a wait moves the time, however little that is", async () => {
  const { queue, random } = createVirtualWorld();
  const clock = createClockModel(queue, random("clock"));
  const startMs = 700_100.3195;
  const endMs = startMs + 300_000;
  let timers = 0;
  const wait = (leftMs: number): void => {
    timers += 1;
    clock.setTimer(leftMs, () => {
      if (clock.monotonicMs() <= endMs) wait(1e-11);
    });
  };
  queue.schedule(startMs, () => wait(300_000));

  await queue.run(endMs + 1);

  expect(timers).toBe(2);
});

describe("an event queue", () => {
  test("rejects a run whose events of one time never end", async () => {
    const { queue } = createVirtualWorld();
    const again = (): void => void queue.schedule(0, again);
    queue.schedule(7, again);

    await expect(queue.run(10)).rejects.toThrow("virtual time stands still at 7 ms");
  });

  test("lets promises go on between two events where only a turn of the machine does that, too", async () => {
    const later = (next: () => void): void => void setImmediate(next);
    const queue = createEventQueue(createRandom("order"), { settle: undefined, later });
    const seen: string[] = [];

    queue.schedule(
      1,
      () => void Promise.resolve().then(() => seen.push("a reaction of the first")),
    );
    queue.schedule(1.5, () => seen.push("the second"));
    await queue.run(2);

    expect(seen).toEqual(["a reaction of the first", "the second"]);
  });

  test("jumps from event to event in the order of their times", async () => {
    const { queue } = createVirtualWorld();
    const seen: [string, number][] = [];
    const see = (name: string) => () => void seen.push([name, queue.nowMs]);

    queue.schedule(3_600_000, see("in an hour"));
    queue.schedule(5, see("soon"));
    await queue.run(10_000_000);

    expect(seen).toEqual([
      ["soon", 5],
      ["in an hour", 3_600_000],
    ]);
    expect([queue.nowMs, queue.executed]).toEqual([10_000_000, 2]);
  });

  test("runs what is left in its order, however many events are cancelled before, during and after", async () => {
    await forSeedsAsync(50, async (random, seed) => {
      const { queue } = createVirtualWorld(seed);
      const cancels: (() => void)[] = [];
      const left = new Map<number, number>();
      const seen: number[] = [];
      const schedule = (name: number): void => {
        const atMs = queue.nowMs + random.int(1, 1000);
        left.set(name, atMs);
        cancels[name] = queue.schedule(atMs - queue.nowMs, () => {
          expect([name, queue.nowMs]).toEqual([name, left.get(name)]);
          left.delete(name);
          seen.push(queue.nowMs);
          for (let i = 0; i < 3; i += 1) cancel(random.int(0, cancels.length - 1));
        });
      };
      const cancel = (name: number): void => {
        cancels[name]?.();
        left.delete(name);
      };

      for (let name = 0; name < 600; name += 1) schedule(name);
      for (let i = 0; i < 700; i += 1) cancel(random.int(0, 599));
      await queue.run(500);
      for (let name = 600; name < 900; name += 1) schedule(name);
      await queue.run(2000);

      expect([...left]).toEqual([]);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(queue.executed).toBe(seen.length);
    });
  });

  test("leaves what lies beyond the end of a run to the next one", async () => {
    const { queue } = createVirtualWorld();
    const seen: number[] = [];
    queue.schedule(10, () => void seen.push(10));
    queue.schedule(30, () => void seen.push(30));

    await queue.run(20);
    const first = [...seen];
    await queue.run(40);

    expect([first, seen]).toEqual([[10], [10, 30]]);
  });

  test("does not run what was cancelled", async () => {
    const { queue } = createVirtualWorld();
    const seen: string[] = [];

    const cancel = queue.schedule(5, () => void seen.push("cancelled"));
    queue.schedule(1, cancel);
    await queue.run(10);

    expect([seen, queue.executed]).toEqual([[], 1]);
  });

  test("goes on only when every promise that could go on has gone on", async () => {
    const { queue } = createVirtualWorld();
    const seen: string[] = [];
    queue.schedule(1, () => {
      void (async () => {
        for (let i = 0; i < 1000; i += 1) await Promise.resolve();
        seen.push("chain");
      })();
    });
    queue.schedule(2, () => void seen.push("next event"));

    await queue.run(10);

    expect(seen).toEqual(["chain", "next event"]);
  });

  test("rejects a run with what an event throws", async () => {
    const { queue } = createVirtualWorld();
    queue.schedule(1, () => {
      throw new Error("broken claim");
    });

    await expect(queue.run(10)).rejects.toThrow("broken claim");
  });

  test("lets the machine have its turn, so that an unhandled rejection shows during the run", async () => {
    const { queue } = createVirtualWorld();
    const strays: unknown[] = [];
    const others = process.listeners("unhandledRejection");
    const onStray = (error: unknown): void => void strays.push(error);
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", onStray);
    queue.schedule(1, () => void Promise.reject(new Error("nobody handles this")));
    const again = (): void => void queue.schedule(1, again);
    again();

    await queue.run(5000, () => strays.length > 0);
    process.off("unhandledRejection", onStray);
    for (const listener of others) process.on("unhandledRejection", listener);

    expect(strays).toHaveLength(1);
    expect(queue.nowMs).toBeLessThan(5000);
  });

  test("orders events of one time by the seed: alike for the same one, not for all", async () => {
    const orders = new Set<string>();
    await forSeedsAsync(20, async (_random, seed) => {
      const orderOf = async (): Promise<string> => {
        const { queue } = createVirtualWorld(seed);
        const seen: number[] = [];
        for (let i = 0; i < 6; i += 1) queue.schedule(5, () => void seen.push(i));
        await queue.run(5);
        return seen.join("");
      };

      const order = await orderOf();

      expect(await orderOf()).toBe(order);
      orders.add(order);
    });
    expect(orders.size).toBeGreaterThan(10);
  });
});
