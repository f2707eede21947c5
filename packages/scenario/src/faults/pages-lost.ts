/** Fault of syncs that fail once and then report success without writing the lost pages. */
import { selector } from "../selectors.ts";
import { must, or, text } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToDisks } from "./disks.ts";
import { orPerMille } from "./rule-faults.ts";

export interface PagesLost {
  readonly kind: "pages-lost";
  readonly node: NodeSelector;
  readonly path: string;
  readonly perMille: number;
}

export const pagesLost: FaultRow<PagesLost> = {
  family: "disk",
  says: "Lets syncs fail as those of Linux do: with one input/output error, after which a second sync succeeds. What the first one was for is read as it was written until the power is cut, and is not on the disk. Then failed copies are tried again.",
  keys: {
    node: must(selector, "whose disk it is"),
    path: or(text, "", "files whose path contains this; all when it is not said"),
    perMille: orPerMille(1000, "of a thousand syncs of a file"),
  },
  needs: ["pages-lost"],
  draw: (scene) => ({ node: scene.node(), path: "", perMille: scene.perMille(10, 1000) }),
  casualties: ["copies"],
  inject: ({ node: given, path, perMille }, world) =>
    applyToDisks(world, given, (node) => [{ kind: "pages-lost", node, path, perMille }]),
};
