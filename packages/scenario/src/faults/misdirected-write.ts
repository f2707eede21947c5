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
  says: "Puts blocks of files where blocks of others lie, which are gone, and zeros where they belong: what is found there is right in itself, and wrong in its place. Nobody notices before it is read.",
  keys: {
    node: must(selector, "whose disk it is"),
    path: or(text, "", "files whose path contains this; all when it is not said"),
    blocks: or(integer(1, 10_000), 1, "so many blocks of 512 bytes"),
  },
  needs: ["misdirected-write"],
  isInstant: true,
  draw: (scene) => ({ node: scene.node(), path: "", blocks: scene.ms(1, 16) }),
  casualties: ["copies", "rot"],
  inject: ({ node: given, path, blocks }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "misdirected-write", node, path, blocks })),
};
