/** Fault that loses frames. */
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface Loss extends LinkChoice {
  readonly kind: "loss";
  readonly perMille: number;
}

export const loss: FaultRow<Loss> = {
  family: "network",
  says: "Loses frames: one that has an answer breaks its connection, a one-way frame is lost alone.",
  keys: { ...linkKeys, perMille: orPerMille(10, "of a thousand frames") },
  needs: ["lose"],
  draw: (scene) => ({ ...scene.links(), perMille: scene.perMille(1, 200) }),
  inject: (fault, world) =>
    applyToLinks(world, fault, (links) => ({ kind: "lose", links, perMille: fault.perMille })),
};
