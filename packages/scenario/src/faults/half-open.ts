/** Fault that makes connections half-open: they die, and one end or both do not notice. */
import { oneOf, or } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface HalfOpen extends LinkChoice {
  readonly kind: "half-open";
  readonly perMille: number;
  readonly hears: "neither" | "sender";
}

export const halfOpen: FaultRow<HalfOpen> = {
  family: "network",
  says: "Makes connections half-open: a drawn frame is the last of its connection. With `neither` no end is notified, as when a machine in between has dropped its state: further frames are lost until the fault ends. With `sender` the sender is notified at once and reconnects, while its earlier frames still arrive, and the other end is notified when it sends.",
  keys: {
    ...linkKeys,
    perMille: orPerMille(10, "number of affected frames in a thousand"),
    hears: or(
      oneOf("end", () => ["neither", "sender"] as const),
      "neither",
      "end that is notified",
    ),
  },
  needs: ["half-open", "half-reset"],
  draw: (scene) => ({
    ...scene.links(),
    perMille: scene.perMille(1, 100),
    hears: scene.random.pick(["neither", "sender"] as const),
  }),
  inject: ({ perMille, hears, ...fault }, world) =>
    applyToLinks(world, fault, (links) => ({
      kind: hears === "neither" ? "half-open" : "half-reset",
      links,
      perMille,
    })),
};
