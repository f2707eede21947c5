/** Fault that fills a node's disk. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToDisks } from "./disks.ts";

export interface DiskFull {
  readonly kind: "disk-full";
  readonly node: NodeSelector;
}

export const diskFull: FaultRow<DiskFull> = {
  family: "disk",
  says: "Fills the disk: writes and syncs fail, and usage shows no free space, until the fault ends. Then failed allocations are retried.",
  keys: { node: must(selector, "nodes whose disk is affected") },
  needs: ["disk-full"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) =>
    applyToDisks(world, fault.node, (node) => [{ kind: "disk-full", node }]),
};
