/** Fault that splits a cluster into two halves with one node in common. */
import { selector } from "../selectors.ts";
import { or } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { cutPairs, membersOf, shuffled } from "./links.ts";
import { targetsOf } from "./targets.ts";

export interface Bridge {
  readonly kind: "bridge";
  readonly node: NodeSelector;
}

export const bridge: FaultRow<Bridge> = {
  family: "network",
  says: "Splits a cluster into two halves without connection; one node is connected to both.",
  keys: { node: or(selector, "any", "node between the halves") },
  needs: ["cut"],
  complaint: (_fault, { size }) => (size < 3 ? "[bridge] takes three nodes" : undefined),
  draw: (scene) => {
    const isLarge = scene.clusters.every(({ nodes }) => nodes.length >= 3);
    return isLarge ? { node: scene.node() } : undefined;
  },
  inject: async (fault, world) => {
    const [between = ""] = await targetsOf(world, fault.node);
    const others = membersOf(world, world.clusterOf(between)).filter((node) => node !== between);
    const nodes = shuffled(world, others);
    const middle = Math.floor(nodes.length / 2);
    const [left, right] = [nodes.slice(0, middle), nodes.slice(middle)];
    return cutPairs(world, [...left, "|", between, "|", ...right], [[left, right]]);
  },
};
