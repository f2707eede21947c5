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
  says: "Freezes nodes, as a stopped process or a long collection of garbage does; then they go on as if nothing had been.",
  keys: { node: must(selector, "who is frozen") },
  needs: ["pause"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) => applyToNodes(world, fault.node, (node) => ({ kind: "pause", node })),
};
