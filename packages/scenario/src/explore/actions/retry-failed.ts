/** Action that retries allocations which failed too often. */
import { attempt, until, type ActionRow } from "./action.ts";

const request = "POST /_cluster/reroute?retry_failed=true";

export const retryFailed: ActionRow = {
  areas: ["replication", "administration", "snapshots", "membership", "decommission"],
  draw: (scene) => [attempt(request, { cluster: scene.cluster().name })],
  undo: ({ clusters }) => clusters.map(({ name: cluster }) => until(request, [200], { cluster })),
};
