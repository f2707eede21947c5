/** The contract of the Clock port. */
import { describe, expect, test } from "vitest";
import { delay, type Clock } from "../src/index.ts";
import { completed, type Settle } from "./settle.ts";

export interface ClockWorld {
  readonly clock: Clock;
  readonly settle: Settle;
}

export function clockContract(name: string, makeWorld: () => ClockWorld): void {
  describe(`the clock contract: ${name}`, () => {
    test("a timer calls once, not before its time and not during setTimer", async () => {
      const { clock, settle } = makeWorld();
      const started = clock.monotonicMs();
      const calls: number[] = [];

      clock.setTimer(20, () => calls.push(clock.monotonicMs()));
      const during = calls.length;
      await settle(() => calls.length > 0);
      await completed(settle, delay(clock, 30));

      expect([during, calls.length]).toEqual([0, 1]);
      // Real timers may fire within the last millisecond.
      expect((calls[0] ?? 0) - started).toBeGreaterThan(19 - 0.001);
    });

    test("timers call in the order of their times, those of one time in the order they were set", async () => {
      const { clock, settle } = makeWorld();
      const order: string[] = [];

      clock.setTimer(30, () => order.push("late"));
      clock.setTimer(5, () => order.push("first"));
      clock.setTimer(5, () => order.push("second"));
      clock.setTimer(0, () => order.push("now"));
      await settle(() => order.length === 4);

      expect(order).toEqual(["now", "first", "second", "late"]);
    });

    test("a cancelled timer never calls, and cancelling is harmless afterwards", async () => {
      const { clock, settle } = makeWorld();
      const calls: string[] = [];

      const cancel = clock.setTimer(5, () => calls.push("cancelled"));
      cancel();
      const cancelLater = clock.setTimer(5, () => calls.push("kept"));
      await completed(settle, delay(clock, 20));
      cancelLater();
      cancel();

      expect(calls).toEqual(["kept"]);
    });

    test("monotonic time never runs backwards", async () => {
      const { clock, settle } = makeWorld();
      const times: number[] = [];
      for (let i = 0; i < 10; i += 1) {
        times.push(clock.monotonicMs());
        await completed(settle, delay(clock, 1));
      }

      expect(times).toEqual(times.toSorted((a, b) => a - b));
    });

    test("wall time is in milliseconds since 1970", () => {
      const { clock } = makeWorld();

      expect(Number.isInteger(clock.nowMs())).toBe(true);
      expect(clock.nowMs()).toBeGreaterThanOrEqual(0);
    });
  });
}
