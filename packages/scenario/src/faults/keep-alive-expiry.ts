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
  says: "Makes keep-alives expire: of nodes, whose health checks are dropped, so that healthy nodes appear dead; or of searches, which are rejected with 429, so that scrolls and points in time end. Other messages are not affected.",
  keys: {
    of: or(
      oneOf<KeptAlive>("keep-alive", () => ["nodes", "searches"]),
      "nodes",
      "subject of the keep-alives",
    ),
    ...linkKeys,
    perMille: orPerMille(1000, "number of affected checks, or searches, in a thousand"),
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
