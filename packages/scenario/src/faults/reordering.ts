/** Fault that reorders one-way frames. */
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface Reordering extends LinkChoice {
  readonly kind: "reordering";
  readonly perMille: number;
}

export const reordering: FaultRow<Reordering> = {
  family: "network",
  says: "Reorders one-way frames: a drawn frame is overtaken by later ones.",
  keys: { ...linkKeys, perMille: orPerMille(50, "number of affected frames in a thousand") },
  needs: ["reorder"],
  draw: (scene) => ({ ...scene.links(), perMille: scene.perMille(5, 500) }),
  inject: (fault, world) =>
    applyToLinks(world, fault, (links) => ({ kind: "reorder", links, perMille: fault.perMille })),
};
