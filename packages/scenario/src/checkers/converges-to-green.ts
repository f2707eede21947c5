/** INV-COORD-2: once faults have ended, every node is in the cluster and every shard copy started, within the time allowed. */
import type { World } from "../world.ts";
import type { Checker, Finding } from "./checker.ts";

export const convergesToGreen: Checker = {
  name: "converges-to-green",
  invariant: "INV-COORD-2",
  finish: async (world) => whatIsMissing(world),
};

/** The first thing that keeps the cluster from being whole and green, as its nodes see it. */
export function whatIsMissing(world: World): Finding {
  for (const node of world.nodes) {
    const state = world.simulation.cluster(node)?.state();
    if (state === undefined) return `${node} does not run`;
    if (state.managerNodeId === undefined) return `${node} knows no elected cluster manager`;
    if (state.nodes.size !== world.nodes.length)
      return `${node} sees ${state.nodes.size} of ${world.nodes.length} nodes`;
    const copies = [...state.routingTable.values()].flatMap((table) => table.shards.flat());
    const missing = copies.find((copy) => copy.state !== "STARTED");
    if (missing) return `${node}: a copy of ${missing.index}/${missing.shard} is ${missing.state}`;
  }
  return undefined;
}
