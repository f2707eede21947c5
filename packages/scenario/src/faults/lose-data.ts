/** Fault that removes all data of a node. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { takeDown } from "./nodes.ts";

export interface LoseData {
  readonly kind: "lose-data";
  readonly node: NodeSelector;
}

export const loseData: FaultRow<LoseData> = {
  family: "node",
  says: "Cuts the power of nodes and removes their data. They start again, as new nodes, when the fault ends.",
  keys: { node: must(selector, "nodes that lose their data") },
  needs: ["crash", "wipe"],
  draw: (scene) => ({ node: scene.node() }),
  casualties: ["copies", "voter"],
  inject: (fault, world) =>
    takeDown(fault.node, world, async (node) => {
      await world.crash(node);
      await world.wipe(node);
    }),
};
