/** Shared part of faults that take nodes down and start them again when the fault ends. */
import type { World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { targetsOf } from "./targets.ts";

/**
 * Takes nodes down with `down`, all at the same moment, and starts them again at the end. Nodes that are already down
 * are skipped.
 */
export async function takeDown(
  given: string,
  world: World,
  down: (node: string) => Promise<void>,
): Promise<Injected> {
  const victims = await targetsOf(world, given, world.isUp);
  await Promise.all(victims.map(down));
  return {
    targets: victims,
    hits: async () => victims.length,
    end: async () => {
      for (const node of victims) await world.start(node);
    },
  };
}

/** Handle of a fault that ends with its injection. */
export function done(targets: readonly string[], hits: number = targets.length): Injected {
  return { targets, hits: async () => hits, end: async () => undefined };
}
