/** Long work lets others have their turn; short work does not wait. */
import { createTurns, inTurns, type Clock } from "@orrery/ports";
import { expect, test } from "vitest";
import { closeEngine } from "../src/engine/failure.ts";
import { openEngine, readCommits, replaySteps } from "../src/engine/open.ts";
import { closeBatch } from "../src/engine/operations.ts";
import { createFixture, newEngine, parseOperation, put } from "./engine-fixture.ts";

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

test("of long works four go on at the same time, and work with few turns goes before them", async () => {
  const clock = createSlowClock(30);
  const turns = new Map<string, number>();
  const given = (): number => [...turns.values()].reduce((sum, count) => sum + count, 0);
  const rests = (name: string, count: number): Promise<void> | void =>
    inTurns(clock, function* () {
      for (let i = 0; i < count; i += 1) {
        turns.set(name, (turns.get(name) ?? 0) + 1);
        yield undefined;
      }
    });

  const long = Array.from({ length: 8 }, (_, i) => rests(`long ${i}`, 100));
  while (given() < 200) await Promise.resolve();
  const before = given();
  await rests("short", 5);
  const between = given() - before;
  await long[0];
  const others = [4, 5, 6, 7].map((i) => turns.get(`long ${i}`) ?? 0);
  await Promise.all(long);

  expect(between).toBeLessThan(10);
  expect(Math.max(...others)).toBeLessThan(20);
});

test("what is thrown after a rest rejects", async () => {
  const clock = createSlowClock(30);
  const failing = inTurns(clock, function* () {
    yield undefined;
    throw new Error("late");
  });

  await expect(failing).rejects.toThrow("late");
});

test("work that waits for other things rests when its turn is over, and has a new one after that", async () => {
  const clock = createSlowClock(5);
  const turns = createTurns(clock);
  let rests = 0;

  for (let i = 0; i < 20; i += 1) {
    if (!turns.isOver()) continue;
    await turns.rest();
    rests += 1;
  }

  expect(clock.timers).toEqual(Array.from({ length: rests }, () => 0));
  expect(rests).toBe(4);
});

test("the replay of a translog rests between operations, and ends with the engine", async () => {
  const fixture = createFixture();
  const engine = await newEngine(fixture);
  for (let i = 0; i < 5; i += 1) put(engine, String(i), "text");
  closeBatch(engine);
  await engine.translog.sync();
  const reopened = () => {
    const commits = readCommits(fixture.disk, fixture.options.paths);
    return openEngine(fixture.options, { primaryTerm: 1 }, commits);
  };
  const replaying = ({ engine: opened, toReplay }: ReturnType<typeof reopened>) =>
    replaySteps(opened, toReplay, { parse: parseOperation, isTurnOver: () => true });
  const whole = reopened();
  const closed = reopened();

  const all = replaying(whole);
  const results = Array.from({ length: 6 }, () => all.next());
  const steps = replaying(closed);
  steps.next();
  closeEngine(closed.engine);

  expect(results.map(({ done }) => done)).toEqual([false, false, false, false, false, true]);
  expect(results.at(-1)?.value).toBe(5);
  expect(whole.engine.tracker.processedCheckpoint).toBe(4);
  expect(steps.next()).toEqual({ done: true, value: 0 });
});
