/** Long work lets others have their turn; short work does not wait. */
import type { Clock } from "@orrery/ports";
import { expect, test } from "vitest";
import { inTurns } from "@orrery/ports";

/** Time passes with each look at the clock. */
function createSlowClock(msALook: number): Clock & { readonly timers: number[] } {
  let nowMs = 0;
  const timers: number[] = [];
  return {
    timers,
    nowMs: () => nowMs,
    monotonicMs: () => (nowMs += msALook),
    setTimer(delayMs, callback) {
      timers.push(delayMs);
      queueMicrotask(callback);
      return () => undefined;
    },
  };
}

const work = (clock: Clock, pieces: number) =>
  inTurns(clock, function* (isTurnOver) {
    for (let i = 0; i < pieces; i += 1) if (isTurnOver()) yield undefined;
    return pieces;
  });

test("what ends within a turn ends at once", () => {
  const clock = createSlowClock(1);

  expect(work(clock, 10)).toBe(10);
  expect(clock.timers).toEqual([]);
});

test("what takes longer rests after each turn", async () => {
  const clock = createSlowClock(1);

  expect(await work(clock, 100)).toBe(100);
  expect(clock.timers).toEqual([0, 0, 0, 0]);
});

test("what is thrown after a rest rejects", async () => {
  const clock = createSlowClock(30);
  const failing = inTurns(clock, function* () {
    yield undefined;
    throw new Error("late");
  });

  await expect(failing).rejects.toThrow("late");
});
