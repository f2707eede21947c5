/** Fault that removes a node permanently. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { done } from "./nodes.ts";
import { targetsOf } from "./targets.ts";

export interface RemoveNode {
  readonly kind: "remove-node";
  readonly node: NodeSelector;
}

export const removeNode: FaultRow<RemoveNode> = {
  family: "node",
  says: "Cuts the power of nodes, and removes them permanently.",
  keys: { node: must(selector, "nodes that are removed") },
  needs: ["crash"],
  isInstant: true,
  draw: (scene) => ({ node: scene.node() }),
  casualties: ["copies", "voter"],
  inject: async (fault, world) => {
    const victims = await targetsOf(world, fault.node);
    for (const node of victims) {
      await world.crash(node);
      await world.remove(node);
    }
    return done(victims);
  },
};
