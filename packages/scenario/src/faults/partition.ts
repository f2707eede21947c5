/** Cuts the links between the isolated nodes and everyone else for as long as the fault lasts. */
import type { NodeSelector } from "../world.ts";
import type { Inject } from "./fault.ts";

export interface Partition {
  readonly kind: "partition";
  readonly isolate: NodeSelector;
}

export const partition: Inject<Partition> = (fault, world) => {
  const inside = world.select(fault.isolate);
  const outside = world.nodes.filter((node) => !inside.includes(node));
  return world.simulation.network.cut(inside, outside);
};
