/** Fault that cuts a node's power and loses all its unsynced writes. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { takeDown } from "./nodes.ts";

export interface Kill {
  readonly kind: "kill";
  readonly node: NodeSelector;
}

export const kill: FaultRow<Kill> = {
  family: "node",
  says: "Cuts the power of nodes, which lose every unsynced write. They start again when the fault ends.",
  keys: { node: must(selector, "nodes that lose power") },
  needs: ["crash", "lose-unsynced"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) => takeDown(fault.node, world, (node) => world.crash(node, "lost")),
};
