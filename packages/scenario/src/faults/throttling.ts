/** Fault that limits the bandwidth of connections. */
import { integer, or } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, type LinkChoice } from "./rule-faults.ts";

export interface Throttling extends LinkChoice {
  readonly kind: "throttling";
  readonly bytesPerSecond: number;
}

export const throttling: FaultRow<Throttling> = {
  family: "network",
  says: "Limits the bandwidth of each connection.",
  keys: {
    ...linkKeys,
    bytesPerSecond: or(
      integer(1, 1_000_000_000),
      100_000,
      "bytes in a second for each connection and direction",
    ),
  },
  needs: ["throttle"],
  draw: (scene) => ({ ...scene.links(), bytesPerSecond: scene.ms(2000, 1_000_000) }),
  inject: ({ bytesPerSecond, ...choice }, world) =>
    applyToLinks(world, choice, (links) => ({ kind: "throttle", links, bytesPerSecond })),
};
