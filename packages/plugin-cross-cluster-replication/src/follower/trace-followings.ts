/** Tells the trace of each change of a following, once for the cluster: a service of the elected cluster manager's term. */
import type { BeginPluginTerm } from "@orrery/node";
import { sectionOf } from "../state/section.ts";

export const traceFollowings: BeginPluginTerm = ({ cluster, trace }) => {
  const nodeId = cluster.localNode.id;
  const told = new Map<string, string>();
  return {
    applied: (state) => {
      for (const { follower: index, state: overall, task, reason } of sectionOf(state).followings) {
        const now = overall === "RUNNING" ? task : overall;
        if (told.get(index) === now) continue;
        told.set(index, now);
        trace({ kind: "remote-replication-changed", nodeId, index, state: now, reason });
      }
    },
  };
};
