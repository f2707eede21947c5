/** Fault that resets connections. */
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface ConnectionReset extends LinkChoice {
  readonly kind: "connection-reset";
  readonly perMille: number;
}

export const connectionReset: FaultRow<ConnectionReset> = {
  family: "network",
  says: "Breaks connections: a frame now and then resets the one it is on, and both ends hear of it.",
  keys: { ...linkKeys, perMille: orPerMille(10, "of a thousand frames") },
  needs: ["reset"],
  draw: (scene) => ({ ...scene.links(), perMille: scene.perMille(1, 100) }),
  inject: (fault, world) =>
    applyToLinks(world, fault, (links) => ({ kind: "reset", links, perMille: fault.perMille })),
};
