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
  says: "Lets the disk that indices lie on be read only, as after a damaged file system was mounted again: writes, renames and removals fail, reads go on, and usage shows room. Then failed copies are tried again.",
  keys: { node: must(selector, "whose disk it is") },
  needs: ["read-only"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) =>
    applyToDisks(world, fault.node, (node) => [{ kind: "read-only", node }]),
};
