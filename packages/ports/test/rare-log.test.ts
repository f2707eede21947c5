/** Lines about what others send: so many in a while by the port's clock, the others counted. */
import { expect, test } from "vitest";
import { rareLinesMost, rareLinesMs, rareLog, type Clock, type LogLevel } from "../src/index.ts";

function world(options?: { readonly level?: LogLevel; readonly isStack?: boolean }) {
  const lines: string[] = [];
  let nowMs = 5;
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    setTimer: () => () => undefined,
  };
  const tell = rareLog((level, message) => void lines.push(`${level} ${message}`), clock, options);
  return { lines, tell, pass: (ms: number) => void (nowMs += ms) };
}

test("so many lines are told, the others are counted and told with the next while", () => {
  const { lines, tell, pass } = world();

  for (let i = 0; i < rareLinesMost + 7; i += 1) tell(`line ${i}`);
  pass(rareLinesMs - 1);
  tell("still the same while");
  const before = lines.length;
  pass(1);
  tell("the next one");

  expect(before).toBe(rareLinesMost);
  expect(lines.slice(before)).toEqual([
    "warn [8] more such lines were left out",
    "warn the next one",
  ]);
});

test("what somebody sent neither ends a line nor makes it long", () => {
  const { lines, tell } = world();

  tell(`a\nb\u001b[31m${"x".repeat(10_000)}`);

  expect(lines[0]?.startsWith("warn a?b?[31mxxx")).toBe(true);
  expect(lines[0]?.length).toBeLessThan(600);
});

test("a stack keeps its lines, and nothing else that is not printable", () => {
  const { lines, tell } = world({ level: "error", isStack: true });

  tell("Error: a\u0007\n    at b");

  expect(lines).toEqual(["error Error: a?\n    at b"]);
});
