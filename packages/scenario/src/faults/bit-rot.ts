/** Fault that flips bits of files on a node's disk. */
import { selector } from "../selectors.ts";
import { must, or, integer, text } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface BitRot {
  readonly kind: "bit-rot";
  readonly node: NodeSelector;
  readonly path: string;
  readonly bits: number;
}

export const bitRot: FaultRow<BitRot> = {
  family: "disk",
  says: "Flips bits of files on the disk, which shows only when they are read.",
  keys: {
    node: must(selector, "nodes whose disk is affected"),
    path: or(text, "", "only files whose path contains this text; default: all"),
    bits: or(integer(1, 10_000), 1, "number of bits"),
  },
  needs: ["bit-rot"],
  isInstant: true,
  draw: (scene) => ({ node: scene.node(), path: "", bits: scene.ms(1, 64) }),
  casualties: ["copies", "rot"],
  inject: (fault, world) =>
    applyToNodes(world, fault.node, (node) => ({
      kind: "bit-rot",
      node,
      path: fault.path,
      bits: fault.bits,
    })),
};
