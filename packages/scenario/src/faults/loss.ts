/** Fault that loses frames. */
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface Loss extends LinkChoice {
  readonly kind: "loss";
  readonly perMille: number;
}

export const loss: FaultRow<Loss> = {
  family: "network",
  says: "Loses frames: the loss of a frame of a request or response breaks its connection, a one-way frame is lost alone.",
  keys: { ...linkKeys, perMille: orPerMille(10, "number of affected frames in a thousand") },
  needs: ["lose"],
  draw: (scene) => ({ ...scene.links(), perMille: scene.perMille(1, 200) }),
  inject: (fault, world) =>
    applyToLinks(world, fault, (links) => ({ kind: "lose", links, perMille: fault.perMille })),
};
