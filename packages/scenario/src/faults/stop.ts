/** Fault that stops a node in an orderly way, and starts it again when the fault ends. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { takeDown } from "./nodes.ts";

export interface Stop {
  readonly kind: "stop";
  readonly node: NodeSelector;
}

export const stop: FaultRow<Stop> = {
  family: "node",
  says: "Stops nodes in an orderly way, as for maintenance, and starts them again when the fault ends.",
  keys: { node: must(selector, "nodes that are stopped") },
  needs: ["stop"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) => takeDown(fault.node, world, (node) => world.stop(node)),
};
