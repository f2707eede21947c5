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
  says: "Makes syncs fail as on Linux: with one input/output error, after which a second sync succeeds although the data of the first is not on the disk. Reads return that data until the power is cut. When the fault ends failed allocations are retried.",
  keys: {
    node: must(selector, "nodes whose disk is affected"),
    path: or(text, "", "only files whose path contains this text; default: all"),
    perMille: orPerMille(1000, "number of failing syncs of a file in a thousand"),
  },
  needs: ["pages-lost"],
  draw: (scene) => ({ node: scene.node(), path: "", perMille: scene.perMille(10, 1000) }),
  casualties: ["copies"],
  inject: ({ node: given, path, perMille }, world) =>
    applyToDisks(world, given, (node) => [{ kind: "pages-lost", node, path, perMille }]),
};
