/** Fault that writes blocks of files to the place of others. */
import { selector } from "../selectors.ts";
import { integer, must, or, text } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface MisdirectedWrite {
  readonly kind: "misdirected-write";
  readonly node: NodeSelector;
  readonly path: string;
  readonly blocks: number;
}

export const misdirectedWrite: FaultRow<MisdirectedWrite> = {
  family: "disk",
  says: "Writes blocks of files over blocks of others, and zeros in their own place: a misplaced block is valid in itself. The damage shows only when it is read.",
  keys: {
    node: must(selector, "nodes whose disk is affected"),
    path: or(text, "", "only files whose path contains this text; default: all"),
    blocks: or(integer(1, 10_000), 1, "number of blocks of 512 bytes"),
  },
  needs: ["misdirected-write"],
  isInstant: true,
  draw: (scene) => ({ node: scene.node(), path: "", blocks: scene.ms(1, 16) }),
  casualties: ["copies", "rot"],
  inject: ({ node: given, path, blocks }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "misdirected-write", node, path, blocks })),
};
