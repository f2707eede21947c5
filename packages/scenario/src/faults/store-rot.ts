/** Fault that flips bits of a node's store and cuts the node's power, so that the next start reads them. */
import { selector } from "../selectors.ts";
import { integer, must, or } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface StoreRot {
  readonly kind: "store-rot";
  readonly node: NodeSelector;
  readonly bits: number;
}

export const storeRot: FaultRow<StoreRot> = {
  family: "disk",
  says: "Flips bits in the store of nodes, of votes and cluster states, and cuts their power; they start again when the fault ends. A node that lost data does not vote until an elected cluster manager has accepted it as a new voter.",
  keys: {
    node: must(selector, "nodes whose store fails"),
    bits: or(integer(1, 10_000), 1, "number of bits"),
  },
  needs: ["store-rot", "crash"],
  draw: (scene) => ({ node: scene.node(), bits: scene.ms(1, 64) }),
  casualties: ["voter"],
  inject: async (fault, world) => {
    const { bits } = fault;
    const applied = await applyToNodes(world, fault.node, (node) => ({
      kind: "store-rot",
      node,
      bits,
    }));
    for (const node of applied.targets) await world.crash(node);
    return {
      ...applied,
      end: async () => {
        await applied.end();
        for (const node of applied.targets) await world.start(node);
      },
    };
  },
};
