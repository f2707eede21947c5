/** A run is a function of its seed. */
import { expect, test } from "vitest";
import { createWorld, startThree, type Process } from "./world.ts";

async function run(seed: string): Promise<string> {
  const world = createWorld(seed);
  const [a, b] = (await startThree(world)) as [Process, Process, Process];
  world.partition([b], "blackhole");
  await world.run(7000);
  world.heal();
  world.kill(a);
  await world.run(20_000);
  return JSON.stringify([world.nowMs(), world.trace]);
}

test("one seed gives one run", async () => {
  const first = await run("again");

  expect(await run("again")).toBe(first);
  expect(await run("another")).not.toBe(first);
});
