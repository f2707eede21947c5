/** Traps on sources of time and chance: each throws, and all are gone afterwards. */
import { afterEach, describe, expect, test } from "vitest";
import { ForbiddenCall, setTraps, turnOfTheMachine } from "../src/traps.ts";

const sources: readonly (readonly [string, () => unknown])[] = [
  ["Date.now", () => Date.now()],
  ["new Date()", () => new Date()],
  ["Date()", () => Date()],
  ["Math.random", () => Math.random()],
  ["performance.now", () => performance.now()],
  ["setTimeout", () => setTimeout(() => undefined, 0)],
  ["setInterval", () => setInterval(() => undefined, 1)],
  ["setImmediate", () => setImmediate(() => undefined)],
  ["fetch", () => fetch("data:,")],
  ["crypto.randomUUID", () => crypto.randomUUID()],
  ["crypto.getRandomValues", () => crypto.getRandomValues(new Uint8Array(1))],
  ["process.hrtime", () => process.hrtime()],
  ["process.hrtime.bigint", () => process.hrtime.bigint()],
  ["process.uptime", () => process.uptime()],
  ["AbortSignal.timeout", () => AbortSignal.timeout(1)],
];

let remove: (() => void) | undefined;

afterEach(() => {
  remove?.();
  remove = undefined;
});

/** What the call throws; nothing of the test runner's runs while the traps are set. */
function thrownBy(call: () => unknown): unknown {
  remove = setTraps();
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    remove();
  }
}

describe.each(sources)("%s", (_name, call) => {
  test("throws while the traps are set and works afterwards", () => {
    const thrown = thrownBy(call);

    expect(thrown).toBeInstanceOf(ForbiddenCall);
    const result = call();
    if (result !== null && typeof result === "object" && "hasRef" in result)
      clearInterval(result as NodeJS.Timeout);
  });
});

test("every global is as it was once the traps are removed", () => {
  const holders: readonly (readonly [object, string])[] = [
    [globalThis, "Date"],
    [globalThis, "setTimeout"],
    [globalThis, "setImmediate"],
    [Date, "now"],
    [Math, "random"],
    [performance, "now"],
    [crypto, "randomUUID"],
    [process, "hrtime"],
  ];
  const describeAll = () =>
    holders.map(([holder, key]) => Object.getOwnPropertyDescriptor(holder, key));
  const before = describeAll();

  setTraps()();

  expect(describeAll()).toEqual(before);
});

test("a date made of a number needs no clock", () => {
  let year: number | undefined;

  const thrown = thrownBy(() => {
    year = new Date(0).getUTCFullYear();
  });

  expect([thrown, year]).toEqual([undefined, 1970]);
});

test("the machine has its turn without traps, and they are set again after it", async () => {
  remove = setTraps();
  const outside: unknown[] = [];
  const turn = turnOfTheMachine();
  outside.push(typeof Math.random());

  await turn;
  let thrown: unknown;
  try {
    Math.random();
  } catch (error) {
    thrown = error;
  }
  remove();

  expect(outside).toEqual(["number"]);
  expect(thrown).toBeInstanceOf(ForbiddenCall);
});

test("a turn of the machine outside of a run sets no traps", async () => {
  await turnOfTheMachine();

  expect(Math.random()).toBeLessThan(1);
});
