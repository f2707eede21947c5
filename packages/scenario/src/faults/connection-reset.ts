/** Fault that resets connections. */
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface ConnectionReset extends LinkChoice {
  readonly kind: "connection-reset";
  readonly perMille: number;
}

export const connectionReset: FaultRow<ConnectionReset> = {
  family: "network",
  says: "Resets connections: a drawn frame breaks its connection, and both ends are notified.",
  keys: { ...linkKeys, perMille: orPerMille(10, "number of affected frames in a thousand") },
  needs: ["reset"],
  draw: (scene) => ({ ...scene.links(), perMille: scene.perMille(1, 100) }),
  inject: (fault, world) =>
    applyToLinks(world, fault, (links) => ({ kind: "reset", links, perMille: fault.perMille })),
};
