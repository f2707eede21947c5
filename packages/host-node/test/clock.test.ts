/** The machine's clock against the contract, and delays beyond what a system timer can hold. */
import { clockContract, settleInRealTime as settle } from "@orrery/ports/contract";
import { afterEach, expect, test, vi } from "vitest";
import { createClock } from "../src/index.ts";

afterEach(() => {
  vi.useRealTimers();
});

clockContract("the machine's", () => ({ clock: createClock(), settle }));

test("a timer of forty days calls after forty days", () => {
  vi.useFakeTimers();
  const day = 24 * 60 * 60 * 1000;
  const calls: string[] = [];

  createClock().setTimer(40 * day, () => calls.push("called"));
  vi.advanceTimersByTime(39.9 * day);
  const early = calls.length;
  vi.advanceTimersByTime(0.1 * day);

  expect([early, calls.length]).toEqual([0, 1]);
});
