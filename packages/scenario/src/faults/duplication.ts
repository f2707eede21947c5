/** Fault that duplicates one-way frames. */
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface Duplication extends LinkChoice {
  readonly kind: "duplication";
  readonly perMille: number;
}

export const duplication: FaultRow<Duplication> = {
  family: "network",
  says: "Delivers one-way frames twice.",
  keys: { ...linkKeys, perMille: orPerMille(50, "number of affected frames in a thousand") },
  needs: ["duplicate"],
  draw: (scene) => ({ ...scene.links(), perMille: scene.perMille(5, 500) }),
  inject: (fault, world) =>
    applyToLinks(world, fault, (links) => ({ kind: "duplicate", links, perMille: fault.perMille })),
};
