/** Fault that cuts all links between the isolated nodes and the other nodes while it lasts. */
import { must } from "../shape.ts";
import { selector } from "../selectors.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { targetsOf } from "./targets.ts";

export interface Partition {
  readonly kind: "partition";
  readonly isolate: NodeSelector;
}

export const partition: FaultRow<Partition> = {
  family: "network",
  says: "Cuts every link between the isolated nodes and all others, in both directions. Nodes on the same side stay connected.",
  keys: { isolate: must(selector, "nodes on one side") },
  needs: ["cut"],
  draw: (scene) => ({ isolate: scene.chance(200) ? "minority" : scene.node() }),
  inject: async (fault, world) => {
    const inside = await targetsOf(world, fault.isolate);
    const outside = world.nodes().filter((node) => !inside.includes(node));
    const links = { from: inside, to: outside, both: true };
    return combined(inside, [await world.applyRule({ kind: "cut", links })]);
  },
};
