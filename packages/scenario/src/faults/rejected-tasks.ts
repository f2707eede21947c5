/** Fault that makes nodes reject requests, as with full queues. */
import { or, someOf, text } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { applyToLinks, linkKeys, orPerMille, type LinkChoice } from "./rule-faults.ts";

export interface RejectedTasks extends LinkChoice {
  readonly kind: "rejected-tasks";
  readonly actions: readonly string[];
  readonly perMille: number;
}

/** Actions for generated plans: requests that are retried, or whose rejection reaches the client. */
const DRAWN = [
  "indices:data/write/bulk[s]",
  "indices:data/write/*",
  "indices:data/read/*",
] as const;

export const rejectedTasks: FaultRow<RejectedTasks> = {
  family: "cluster",
  says: "Makes nodes reject requests of other nodes with 429, as with full queues. A rejected request is not executed.",
  keys: {
    actions: or(
      someOf(text),
      ["indices:data/write/bulk[s]", "indices:data/read/*"],
      "transport actions; one that ends in * matches all with that prefix",
    ),
    ...linkKeys,
    perMille: orPerMille(200, "number of rejected requests in a thousand"),
  },
  needs: ["reject"],
  draw: (scene) => ({
    ...scene.links(),
    actions: [scene.random.pick(DRAWN)],
    perMille: scene.perMille(10, 1000),
  }),
  inject: ({ actions, perMille, ...choice }, world) =>
    applyToLinks(world, choice, (links) => ({ kind: "reject", links, actions, perMille })),
};
