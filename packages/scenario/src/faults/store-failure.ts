/** Fault that makes writes to a node's store fail: term, vote, Raft log and metadata. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface StoreFailure {
  readonly kind: "store-failure";
  readonly node: NodeSelector;
}

export const storeFailure: FaultRow<StoreFailure> = {
  family: "disk",
  says: "Makes writes to the store of nodes fail, of votes and cluster states: at the next change of the cluster state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again.",
  keys: { node: must(selector, "nodes whose store fails") },
  needs: ["store-fails", "crash"],
  draw: (scene) => ({ node: scene.node() }),
  inject: async (fault, world) => {
    const applied = await applyToNodes(world, fault.node, (node) => ({
      kind: "store-fails",
      node,
    }));
    return {
      ...applied,
      end: async () => {
        await applied.end();
        for (const node of applied.targets) {
          await world.crash(node);
          await world.start(node);
        }
      },
    };
  },
};
