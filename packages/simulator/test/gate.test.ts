/** The gate of a node: what passes it keeps its order, is late while the node is slow, and waits while it is paused. */
import { expect, test } from "vitest";
import { createClockModel } from "../src/clock-model.ts";
import { createGate } from "../src/gate.ts";
import { createWallClock } from "../src/wall-clock.ts";
import { createVirtualWorld } from "./world.ts";

function newGate() {
  const world = createVirtualWorld(1);
  const gate = createGate(world.queue);
  const seen: string[] = [];
  const pass = (name: string): void =>
    gate.pass(() => void seen.push(`${name} at ${Math.round(world.queue.nowMs)}`));
  return { ...world, gate, seen, pass };
}

test("an open gate lets everything pass at once", () => {
  const { gate, pass, seen } = newGate();

  pass("a");

  expect([seen, gate.isOpen]).toEqual([["a at 0"], true]);
});

test("what comes while the node is paused happens after the pause, in order, before what comes later", async () => {
  const { gate, pass, seen, queue } = newGate();
  const pause = gate.pause();
  pass("a");
  pass("b");
  await queue.run(1000);
  const during = [...seen];

  pause.end();
  pass("c");
  await queue.run(2000);

  expect(during).toEqual([]);
  expect(seen).toEqual(["a at 1000", "b at 1000", "c at 1000"]);
  expect([gate.isOpen, pause.hits()]).toEqual([true, 2]);
});

test("everything of a slow node takes so much longer, one after the other", async () => {
  const { gate, pass, seen, queue } = newGate();
  const slow = gate.slow(10);
  pass("a");
  pass("b");
  await queue.run(100);
  slow.end();
  pass("c");

  expect(seen).toEqual(["a at 10", "b at 20", "c at 100"]);
});

test("a node that is gone forgets its pause and what waited, and stays slow", async () => {
  const { gate, pass, seen, queue } = newGate();
  const pause = gate.pause();
  gate.slow(10);
  pass("lost");

  gate.clear();
  pass("a");
  await queue.run(100);
  pause.end();

  expect(seen).toEqual(["a at 10"]);
});

test("a timer that fires while the node is paused can still be cancelled", async () => {
  const { gate, queue, random } = newGate();
  const clock = createClockModel(queue, random("clock"), { gate });
  const seen: string[] = [];
  const cancel = clock.setTimer(10, () => void seen.push("cancelled"));
  clock.setTimer(20, () => void seen.push("kept"));
  const pause = gate.pause();
  await queue.run(100);

  cancel();
  pause.end();
  await queue.run(200);

  expect(seen).toEqual(["kept"]);
});

test("a wall clock is off while it is skewed, drifts, and stays off after a jump", async () => {
  const { queue } = newGate();
  const wall = createWallClock(() => queue.nowMs);
  const right = createWallClock(() => queue.nowMs);
  const off = (): number => wall.nowMs() - right.nowMs();

  const skew = wall.skew(-5000, 100_000);
  const before = off();
  await queue.run(1000);
  const drifted = off();
  skew.end();
  const after = off();
  wall.jump(3000).end();

  expect([before, drifted, after, off()]).toEqual([-5000, -4900, 0, 3000]);
  expect(skew.hits()).toBe(2);
});

test("a wall clock that jumps to and fro is right and wrong in turn, and right at the end", async () => {
  const { queue } = newGate();
  const wall = createWallClock(() => queue.nowMs);
  const right = createWallClock(() => queue.nowMs);
  const seen: number[] = [];
  const strobe = wall.strobe(-5000, 100);

  for (const atMs of [10, 60, 110, 160]) {
    await queue.run(atMs);
    seen.push(wall.nowMs() - right.nowMs());
  }
  strobe.end();
  seen.push(wall.nowMs() - right.nowMs());

  expect(seen).toEqual([0, -5000, 0, -5000, 0]);
  expect(strobe.hits()).toBe(2);
});
