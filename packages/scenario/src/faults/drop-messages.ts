/** Fault that drops messages of given actions. */
import { must, someOf, text } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface DropMessages extends LinkChoice {
  readonly kind: "drop-messages";
  readonly actions: readonly string[];
  readonly perMille: number;
}

/** Actions for generated plans: recoveries, publication of the cluster state, and snapshots. */
const DRAWN = [
  "indices:data/write/bulk*",
  "indices:data/read/*",
  "indices:admin/*",
  "indices:admin/seq_no/*",
  "internal:index/seq_no/resync*",
  "internal:index/shard/recovery/*",
  "internal:index/shard/recovery/finalize*",
  "internal:index/shard/recovery/handoff_primary_context*",
  "internal:index/shard/snapshot*",
  "internal:cluster/consensus*",
  "internal:cluster/state/applied*",
  "internal:cluster/task*",
  "internal:cluster/shard/*",
  "internal:cluster/snapshot*",
  "internal:coordination/fault_detection/*",
  "internal:gateway/*",
  "internal:discovery/*",
  "cluster:admin/*",
  "internal:*",
] as const;

export const dropMessages: FaultRow<DropMessages> = {
  family: "network",
  says: "Drops messages of some actions, and their responses; the connection remains intact.",
  keys: {
    actions: must(someOf(text), "transport actions, such as [indices:data/write/bulk*]"),
    ...linkKeys,
    perMille: orPerMille(1000, "number of dropped messages in a thousand"),
  },
  needs: ["drop"],
  draw: (scene) => ({
    ...scene.links(),
    actions: [scene.random.pick(DRAWN)],
    perMille: scene.chance(400) ? 1000 : scene.perMille(5, 500),
  }),
  inject: ({ actions, perMille, ...choice }, world) =>
    applyToLinks(world, choice, (links) => ({ kind: "drop", links, actions, perMille })),
};
