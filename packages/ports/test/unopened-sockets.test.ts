/** Sockets on which nothing is opened: bounded in number and time. */
import { expect, test } from "vitest";
import {
  createUnopenedSockets,
  unopenedSocketMs,
  unopenedSocketsMost,
  type UnopenedSockets,
} from "../src/index.ts";

/** Timers run when they are told to. */
function sockets(): {
  readonly held: UnopenedSockets<number>;
  readonly cut: number[];
  readonly timers: Map<() => void, number>;
} {
  const cut: number[] = [];
  const timers = new Map<() => void, number>();
  const held = createUnopenedSockets<number>({
    setTimer: (ms, run) => {
      timers.set(run, ms);
      return () => void timers.delete(run);
    },
    cut: (socket) => void cut.push(socket),
  });
  return { held, cut, timers };
}

test("a socket has its time, and is cut when that is over", () => {
  const { held, cut, timers } = sockets();

  held.enter(1);
  held.enter(1);
  const due = [...timers];
  for (const [run] of due) run();

  expect(due.map(([, ms]) => ms)).toEqual([unopenedSocketMs]);
  expect([cut, timers.size]).toEqual([[1], 0]);
});

test("a socket that leaves is not cut, and may come again", () => {
  const { held, cut, timers } = sockets();

  held.enter(1);
  held.leave(1);
  held.leave(1);
  const timersBetween = timers.size;
  held.enter(1);

  expect([cut, timersBetween, timers.size]).toEqual([[], 0, 1]);
});

test("the oldest goes when there are too many", () => {
  const { held, cut } = sockets();

  for (let i = 0; i < unopenedSocketsMost + 2; i += 1) held.enter(i);

  expect(cut).toEqual([0, 1]);
});
