/** Fault that makes a node's disk read-only. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToDisks } from "./disks.ts";

export interface ReadOnlyDisk {
  readonly kind: "read-only-disk";
  readonly node: NodeSelector;
}

export const readOnlyDisk: FaultRow<ReadOnlyDisk> = {
  family: "disk",
  says: "Makes the disk of the indices read-only, as after an error of the file system: writes, renames and removals fail, reads succeed, and usage shows free space. Then failed allocations are retried.",
  keys: { node: must(selector, "nodes whose disk is affected") },
  needs: ["read-only"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) =>
    applyToDisks(world, fault.node, (node) => [{ kind: "read-only", node }]),
};
