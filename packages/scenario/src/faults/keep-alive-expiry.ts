/** Fault that lets keep-alives expire: health checks of live nodes, or contexts of searches still in use. */
import { oneOf, or } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

/** Subject of the expiring keep-alive: nodes (fault detection), or searches (scroll and point-in-time contexts). */
export type KeptAlive = "nodes" | "searches";

export interface KeepAliveExpiry extends LinkChoice {
  readonly kind: "keep-alive-expiry";
  readonly of: KeptAlive;
  readonly perMille: number;
}

/**
 * Rule for each subject. A dropped health check counts as failed; a dropped search request would block its client, so
 * it is rejected instead.
 */
const RENEWALS = {
  nodes: { rule: "drop", actions: ["internal:coordination/fault_detection/*"] },
  searches: { rule: "reject", actions: ["indices:data/read/search*"] },
} as const;

export const keepAliveExpiry: FaultRow<KeepAliveExpiry> = {
  family: "cluster",
  says: "Lets keep-alives expire that nobody renews: of nodes, whose checks of each other vanish, so that nodes that are well look dead; or of searches, which other nodes answer with 429, so that their scrolls and points in time end. Everything else gets through.",
  keys: {
    of: or(
      oneOf<KeptAlive>("keep-alive", () => ["nodes", "searches"]),
      "nodes",
      "whose keep-alives",
    ),
    ...linkKeys,
    perMille: orPerMille(1000, "of a thousand checks, or searches"),
  },
  needs: ["drop", "reject"],
  draw: (scene) => ({
    ...scene.links(),
    of: scene.random.pick(["nodes", "searches"] as const),
    perMille: scene.chance(500) ? 1000 : scene.perMille(50, 900),
  }),
  inject: ({ of, perMille, ...choice }, world) => {
    const { rule: kind, actions } = RENEWALS[of];
    return applyToLinks(world, choice, (links) => ({ kind, links, actions, perMille }));
  },
};
