/** Fault that adds latency to frames. */
import { duration, or } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, type LinkChoice } from "./rule-faults.ts";

export interface Delay extends LinkChoice {
  readonly kind: "delay";
  readonly lowMs: number;
  readonly highMs: number;
}

export const delay: FaultRow<Delay> = {
  family: "network",
  says: "Adds latency to each frame, drawn between two bounds.",
  keys: {
    ...linkKeys,
    lowMs: or(duration, 0, "lower bound"),
    highMs: or(duration, 100, "upper bound"),
  },
  needs: ["delay"],
  complaint: ({ lowMs, highMs }) => (lowMs > highMs ? "[low] is longer than [high]" : undefined),
  draw: (scene) => {
    const highMs = scene.ms(2, 2000);
    return { ...scene.links(), lowMs: scene.random.int(0, highMs), highMs };
  },
  inject: (fault, world) =>
    applyToLinks(world, fault, (links) => ({
      kind: "delay",
      links,
      lowMs: fault.lowMs,
      highMs: fault.highMs,
    })),
};
