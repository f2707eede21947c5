/** Cuts the power before a folder is synced. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import { crashWith } from "./crash-with.ts";
import type { FaultRow } from "./fault.ts";

export interface LostDirectoryEntry {
  readonly kind: "lost-directory-entry";
  readonly node: NodeSelector;
}

export const lostDirectoryEntry: FaultRow<LostDirectoryEntry> = {
  family: "disk",
  says: "Cuts the power before folders are synced: files that were made, renamed or removed since are as if they had not been. The node starts again when the fault ends.",
  keys: { node: must(selector, "whose disk it is") },
  needs: ["crash", "lost-name"],
  inject: (fault, world) => crashWith(world, fault.node, (node) => ({ kind: "lost-name", node })),
};
