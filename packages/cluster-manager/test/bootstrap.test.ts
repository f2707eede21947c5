/** A cluster comes about. */
import { describe, expect, test } from "vitest";
import { createWorld, isFormed, threeNames, threeSettings } from "./world.ts";

describe("a cluster", () => {
  test("of one node is formed within 20 ms", async () => {
    const world = createWorld("one");
    const node = world.start("a", { "discovery.type": "single-node" });

    await world.until(() => isFormed(world, 1), 20);

    expect(node.manager.isElected).toBe(true);
    expect(node.manager.state().version).toBeGreaterThan(0);
  });

  test("of three nodes is formed within 100 ms", async () => {
    const world = createWorld("three");
    const processes = threeNames.map((name) => world.start(name, threeSettings()));

    await world.until(() => isFormed(world, 3), 100);

    expect(processes.map(({ manager }) => manager.isElected)).toEqual([true, false, false]);
  });
});
