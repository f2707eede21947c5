/** Fault that cuts a node's power, and starts the node again when the fault ends. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { takeDown } from "./nodes.ts";

export interface Crash {
  readonly kind: "crash";
  readonly node: NodeSelector;
}

export const crash: FaultRow<Crash> = {
  family: "node",
  says: "Cuts the power of nodes: unsynced writes are lost, torn or kept. They start again when the fault ends.",
  keys: { node: must(selector, "nodes that lose power") },
  needs: ["crash"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) => takeDown(fault.node, world, (node) => world.crash(node)),
};
