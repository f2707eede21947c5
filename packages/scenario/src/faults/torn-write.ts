/** Fault that cuts the power in the middle of a write. */
import { selector } from "../selectors.ts";
import { must, or, text } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import { crashWith } from "./crash-with.ts";
import type { FaultRow } from "./fault.ts";

export interface TornWrite {
  readonly kind: "torn-write";
  readonly node: NodeSelector;
  readonly path: string;
}

export const tornWrite: FaultRow<TornWrite> = {
  family: "disk",
  says: "Cuts the power in the middle of a write: a part of the unsynced data is kept, some of it as zeros. The node starts again when the fault ends.",
  keys: {
    node: must(selector, "nodes whose disk is affected"),
    path: or(text, "", "only files whose path contains this text; default: all"),
  },
  needs: ["crash", "torn-write"],
  draw: (scene) => ({ node: scene.node(), path: "" }),
  inject: ({ node: given, path }, world) =>
    crashWith(world, given, (node) => ({ kind: "torn-write", node, path })),
};
