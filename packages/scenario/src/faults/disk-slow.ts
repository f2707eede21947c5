/** Fault that slows down a node's disk. */
import { selector } from "../selectors.ts";
import { duration, must, or } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import { applyToDisks } from "./disks.ts";
import type { FaultRow } from "./fault.ts";

export interface DiskSlow {
  readonly kind: "disk-slow";
  readonly node: NodeSelector;
  readonly byMs: number;
}

export const diskSlow: FaultRow<DiskSlow> = {
  family: "disk",
  says: "Makes each sync take longer, of documents and of the cluster's state alike.",
  keys: { node: must(selector, "whose disk it is"), byMs: or(duration, 200, "by so much") },
  needs: ["disk-slow", "store-slow"],
  draw: (scene) => ({ node: scene.node(), byMs: scene.ms(5, 1000) }),
  inject: ({ node: given, byMs: delayMs }, world) =>
    applyToDisks(world, given, (node) => [
      { kind: "disk-slow", node, delayMs },
      { kind: "store-slow", node, delayMs },
    ]),
};
