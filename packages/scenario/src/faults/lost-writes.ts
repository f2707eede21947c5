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
  says: "Makes the disk report syncs as successful that it does not perform. When the fault ends the power is cut, writes made meanwhile are lost, and the nodes start again. The node store is not affected.",
  keys: {
    node: must(selector, "nodes whose disk is affected"),
    path: or(text, "", "only files whose path contains this text; default: all"),
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
