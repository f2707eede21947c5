/** What faults of nodes share: nodes that go down, and come back when the fault ends. */
import type { World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { victimsOf } from "./victims.ts";

/** Nodes that `down` takes down, in one moment, are started again at the end. Only nodes that are up count. */
export async function takeDown(
  given: string,
  world: World,
  down: (node: string) => Promise<void>,
): Promise<Injected> {
  const victims = await victimsOf(world, given, world.isUp);
  await Promise.all(victims.map(down));
  return {
    targets: victims,
    hits: async () => victims.length,
    end: async () => {
      for (const node of victims) await world.start(node);
    },
  };
}

/** A fault that is over as soon as it is done. */
export function done(targets: readonly string[], hits: number = targets.length): Injected {
  return { targets, hits: async () => hits, end: async () => undefined };
}
