/** Fault that makes writes to a node's store fail: term, vote, Raft log and metadata. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { harmNodes } from "./harms.ts";

export interface StoreFailure {
  readonly kind: "store-failure";
  readonly node: NodeSelector;
}

export const storeFailure: FaultRow<StoreFailure> = {
  family: "disk",
  says: "Lets nodes fail to keep votes and cluster states: at the next change of the state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again.",
  keys: { node: must(selector, "whose store it is") },
  needs: ["store-fails", "crash"],
  draw: (scene) => ({ node: scene.node() }),
  inject: async (fault, world) => {
    const harm = await harmNodes(world, fault.node, (node) => ({ kind: "store-fails", node }));
    return {
      ...harm,
      end: async () => {
        await harm.end();
        for (const node of harm.targets) {
          await world.crash(node);
          await world.start(node);
        }
      },
    };
  },
};
