/** The flight recorder: lines in order, a hash of all of them, the last ones at hand. */
import type { TraceEvent } from "@orrery/ports";
import { expect, test } from "vitest";
import { createRecorder } from "../src/recorder.ts";

const event = (number: number): TraceEvent => ({
  kind: "log",
  level: "info",
  message: `line ${number}`,
});

function recordAll(count: number, change = -1) {
  const lines: string[] = [];
  const recorder = createRecorder({ now: () => 1.5, onLine: (line) => void lines.push(line) });
  for (let i = 0; i < count; i += 1) recorder.record("node-1", event(i === change ? i + 1000 : i));
  return { recorder, lines };
}

test("an event is one line of JSON with its time and its node", () => {
  const { recorder, lines } = recordAll(1);

  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { at_ms: 1.5, node: "node-1", kind: "log", level: "info", message: "line 0" },
  ]);
  expect(recorder.events).toBe(1);
});

test("an event that names its node keeps that name", () => {
  const lines: string[] = [];
  const recorder = createRecorder({ now: () => 0, onLine: (line) => void lines.push(line) });

  recorder.record("", { kind: "node-started", node: "node-2" });

  expect(JSON.parse(lines[0] ?? "")).toEqual({ at_ms: 0, kind: "node-started", node: "node-2" });
});

test("the hash is the same for the same events and another one when any event differs", () => {
  const hash = recordAll(100).recorder.hash;

  expect(hash).toMatch(/^[0-9a-f]{16}$/);
  expect(recordAll(100).recorder.hash).toBe(hash);
  const others = [0, 1, 50, 99].map((change) => recordAll(100, change).recorder.hash);
  expect(new Set([...others, hash, recordAll(101).recorder.hash]).size).toBe(6);
});

test("the hash is the same whether or not somebody wants the lines", () => {
  const { recorder, lines } = recordAll(100);
  const silent = createRecorder({ now: () => 1.5 });
  for (let i = 0; i < 100; i += 1) silent.record("node-1", event(i));

  expect(lines).toHaveLength(100);
  expect(silent.hash).toBe(recorder.hash);
});

test.each([3, 50, 51, 230])("the tail of %i events is the last 50, newest last", (count) => {
  const { recorder, lines } = recordAll(count);

  expect(recorder.tail).toEqual(lines.slice(-50));
});
