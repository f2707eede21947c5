/** Fault of a disk that reports syncs as successful without making anything durable, until the power is cut. */
import { selector } from "../selectors.ts";
import { must, or, text } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface LostWrites {
  readonly kind: "lost-writes";
  readonly node: NodeSelector;
  readonly path: string;
}

export const lostWrites: FaultRow<LostWrites> = {
  family: "disk",
  says: "Lets the disk acknowledge syncs that it does not do. When the fault ends the power is cut, what was written meanwhile is lost, and the nodes start again. What a node keeps of the cluster is not touched.",
  keys: {
    node: must(selector, "whose disk it is"),
    path: or(text, "", "files whose path contains this; all when it is not said"),
  },
  needs: ["sync-lies", "crash", "lose-unsynced"],
  draw: (scene) => ({ node: scene.node(), path: "" }),
  casualties: ["copies"],
  inject: async ({ node: given, path }, world) => {
    const applied = await applyToNodes(world, given, (node) => ({ kind: "sync-lies", node, path }));
    return {
      ...applied,
      end: async () => {
        for (const node of applied.targets) await world.crash(node, "lost");
        await applied.end();
        for (const node of applied.targets) await world.start(node);
      },
    };
  },
};
