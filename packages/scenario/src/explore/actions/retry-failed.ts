/** Action that retries allocations which failed too often. */
import { attempt, until, wait, type ActionRow } from "./action.ts";

const request = "POST /_cluster/reroute?retry_failed=true";

/** Longest time in which a recovery that began before the reverting steps fails, by the time-outs of explored plans. */
const RECOVERY_MS = 12_000;

export const retryFailed: ActionRow = {
  areas: ["replication", "administration", "snapshots", "membership", "decommission"],
  draw: (scene) => [attempt(request, { cluster: scene.cluster().name })],
  // A recovery under way keeps the rate it began with, and its failure may be the last one allowed.
  undo: ({ clusters }) => {
    const retries = clusters.map(({ name: cluster }) => until(request, [200], { cluster }));
    return [...retries, wait(RECOVERY_MS), ...retries];
  },
};
