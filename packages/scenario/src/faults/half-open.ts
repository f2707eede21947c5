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
  says: "Lets connections die without telling both ends: a frame now and then is the last of its connection. Neither end hears of it, as when a machine between them has forgotten it: what is sent vanishes until the fault ends. Or the sender hears at once and connects anew, while what it had sent still arrives, and the other end hears when it sends.",
  keys: {
    ...linkKeys,
    perMille: orPerMille(10, "of a thousand frames"),
    hears: or(
      oneOf("end", () => ["neither", "sender"] as const),
      "neither",
      "which end hears of it",
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
