/** Who hears of what. */
import { expect, test } from "vitest";
import { createWatchers } from "../src/watchers.ts";
import type { RecordedEvent } from "../src/world.ts";

const timer: RecordedEvent = { at_ms: 1, node: "node-1", kind: "timer-fired", delayMs: 5 };
const crash: RecordedEvent = { at_ms: 2, node: "node-1", kind: "node-crashed" };

test("whoever watches news hears of a crash and not of a timer", () => {
  const heard: RecordedEvent[] = [];
  const watchers = createWatchers();
  watchers.watchNews((event) => void heard.push(event));

  expect(watchers.isHeard("timer-fired")).toBe(false);
  expect(watchers.isHeard("node-crashed")).toBe(true);
  watchers.hear(timer);
  watchers.hear(crash);

  expect(heard).toEqual([crash]);
});

test("whoever watches everything hears of both until it ends that", () => {
  const heard: RecordedEvent[] = [];
  const watchers = createWatchers();
  const unwatch = watchers.watch((event) => void heard.push(event));
  watchers.hear(timer);
  watchers.hear(crash);
  unwatch();
  watchers.hear(crash);

  expect(heard).toEqual([timer, crash]);
  expect(watchers.isHeard("node-crashed")).toBe(false);
});
