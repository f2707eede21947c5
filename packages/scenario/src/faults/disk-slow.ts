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
  says: "Delays each sync, of documents and of the node store alike.",
  keys: {
    node: must(selector, "nodes whose disk is affected"),
    byMs: or(duration, 200, "delay of each sync"),
  },
  needs: ["disk-slow", "store-slow"],
  draw: (scene) => ({ node: scene.node(), byMs: scene.ms(5, 1000) }),
  inject: ({ node: given, byMs: delayMs }, world) =>
    applyToDisks(world, given, (node) => [
      { kind: "disk-slow", node, delayMs },
      { kind: "store-slow", node, delayMs },
    ]),
};
