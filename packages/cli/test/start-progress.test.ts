/** The progress line of a start. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showProgress } from "../src/start-progress.ts";
import { fakeNode } from "./fake-nodes.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test("a start that takes long says on a terminal how many nodes answer, and erases it at the end", async () => {
  const [first, second] = [fakeNode("node-1"), fakeNode("node-2")];
  await second.kill();
  const members = new Map([
    [1, first],
    [2, second],
  ]);
  const on = terminal(true);
  const end = showProgress({ members }, on);

  vi.advanceTimersByTime(1000);
  await second.start("serving");
  vi.advanceTimersByTime(200);
  end();
  vi.advanceTimersByTime(1000);

  expect(on.written).toEqual([
    "\r\u001B[K1 of 2 nodes answer",
    "\r\u001B[Kall 2 nodes answer, the cluster is not green yet",
    "\r\u001B[K",
  ]);
});

test("a short start says nothing, and so does one without a terminal", () => {
  const members = new Map([[1, fakeNode("node-1")]]);
  const [on, off] = [terminal(true), terminal(false)];
  const ends = [showProgress({ members }, on), showProgress({ members }, off)];

  vi.advanceTimersByTime(900);
  ends[0]?.();
  vi.advanceTimersByTime(5000);
  ends[1]?.();

  expect([on.written, off.written]).toEqual([[], []]);
});
