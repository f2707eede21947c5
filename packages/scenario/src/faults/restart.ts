/** Fault that cuts a node's power and starts the node again at once. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { done, takeDown } from "./nodes.ts";

export interface Restart {
  readonly kind: "restart";
  readonly node: NodeSelector;
}

export const restart: FaultRow<Restart> = {
  family: "node",
  says: "Cuts the power of nodes and starts them again at once.",
  keys: { node: must(selector, "nodes that restart") },
  needs: ["crash"],
  isInstant: true,
  draw: (scene) => ({ node: scene.node() }),
  inject: async (fault, world) => {
    const { targets, end } = await takeDown(fault.node, world, (node) => world.crash(node));
    await end();
    return done(targets);
  },
};
