/** Which shard workers are taken for stuck, and when nobody can tell. */
import type { Clock } from "@orrery/ports";
import { expect, test } from "vitest";
import { createWatchdog } from "../src/watchdog.ts";

/** Timers that fire late when the process, and with it this thread, was stopped. */
function createWorld() {
  let nowMs = 0;
  let timers: { readonly atMs: number; readonly run: () => void }[] = [];
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    setTimer(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  };
  return {
    clock,
    get timers() {
      return timers.length;
    },
    stopFor(ms: number): void {
      nowMs += ms;
    },
    run(ms: number, eachSecond: () => void = () => undefined): void {
      for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 1000) {
        const due = timers.filter(({ atMs }) => atMs <= nowMs);
        timers = timers.filter(({ atMs }) => atMs > nowMs);
        for (const { run } of due) run();
        eachSecond();
      }
    },
  };
}

function watched(stallTimeoutMs = 30_000) {
  const world = createWorld();
  const watchdog = createWatchdog(world.clock, stallTimeoutMs);
  let beats = 0;
  const stuck: number[] = [];
  watchdog.watch(1, { beats: () => beats, onStuck: (lastSeen) => void stuck.push(lastSeen) });
  const beat = (): void => void (beats += 4);
  return { world, watchdog, stuck, beat };
}

test("a worker whose heartbeats stand still for the timeout is stuck, once", () => {
  const { world, stuck, beat } = watched();
  world.run(600_000, beat);
  world.run(27_000);
  const before = stuck.length;

  world.run(600_000);

  expect([before, stuck.length]).toEqual([0, 1]);
});

test("nobody is judged by the time in which the process was stopped", () => {
  const { world, stuck, beat } = watched();
  world.run(10_000, beat);

  for (let i = 0; i < 20; i += 1) {
    world.stopFor(600_000);
    world.run(7000);
  }
  world.run(10_000, beat);

  expect(stuck).toEqual([]);
});

test("a worker that is slow and not stuck is left alone", () => {
  const { world, stuck, beat } = watched();

  for (let i = 0; i < 20; i += 1) {
    world.run(25_000);
    beat();
  }

  expect(stuck).toEqual([]);
});

test("without workers to watch, or a timeout, there is no timer", () => {
  const { world, watchdog } = watched();
  watchdog.forget(1);

  expect([world.timers, watched(0).world.timers, watched(-1).world.timers]).toEqual([0, 0, 0]);
});
