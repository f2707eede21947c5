/** Fault that pauses a node. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface Pause {
  readonly kind: "pause";
  readonly node: NodeSelector;
}

export const pause: FaultRow<Pause> = {
  family: "node",
  says: "Pauses nodes, like a stopped process or a long garbage collection; then they resume without noticing.",
  keys: { node: must(selector, "nodes that are paused") },
  needs: ["pause"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) => applyToNodes(world, fault.node, (node) => ({ kind: "pause", node })),
};
