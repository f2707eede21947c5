/** Whom a fault is done to, when nobody is what it means at first. */
import { expect, test } from "vitest";
import { targetsOf } from "../src/faults/targets.ts";
import type { World } from "../src/world.ts";

/** A world in which the primary is on a node that is down for a while. */
function worldWith(upFromMs: number, patienceMs?: number): World {
  let nowMs = 0;
  const world: Partial<World> = {
    ...(patienceMs === undefined ? {} : { patienceMs }),
    nodes: () => ["node-1", "node-2"],
    select: async (selector) => [selector === "primary:books/0" ? "node-1" : selector],
    isUp: (node) => node !== "node-1" || nowMs >= upFromMs,
    nowMs: () => nowMs,
    sleep: async (ms) => void (nowMs += ms),
  };
  return world as World;
}

const victims = async (world: World, selector: string): Promise<readonly [unknown, number]> => [
  await targetsOf(world, selector, world.isUp),
  world.nowMs(),
];

test("a node that is down is waited for when a fault means what it is", async () => {
  expect(await victims(worldWith(12_000), "primary:books/0")).toEqual([["node-1"], 12_000]);
});

test("a node that is down is not waited for when a fault names it", async () => {
  expect(await victims(worldWith(12_000), "node-1")).toEqual([[], 0]);
  expect(await victims(worldWith(12_000), "node-2")).toEqual([["node-2"], 0]);
});

test("nobody is waited for in a world without patience", async () => {
  expect(await victims(worldWith(12_000, 0), "primary:books/0")).toEqual([[], 0]);
});
