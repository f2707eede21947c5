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
  says: "Turns bits of what nodes keep of the cluster, their votes and its states, and cuts their power; they start again when the fault ends. A node that lost something does not vote until an elected cluster manager has let it in anew.",
  keys: {
    node: must(selector, "whose store it is"),
    bits: or(integer(1, 10_000), 1, "so many bits"),
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
