/** Service of the elected cluster manager's term: traces each change of state of a replication, once per cluster. */
import type { BeginPluginTerm } from "@orrery/node";
import { sectionOf } from "../state/section.ts";

/**
 * Service of the elected cluster manager that traces the state of each replication: at the start of its term, and after
 * each change.
 */
export const traceFollowings: BeginPluginTerm = ({ cluster, trace }) => {
  const nodeId = cluster.localNode.id;
  const traced = new Map<string, string>();
  return {
    applied: (state) => {
      for (const { follower: index, state: overall, task, reason } of sectionOf(state).followings) {
        const now = overall === "RUNNING" ? task : overall;
        if (traced.get(index) === now) continue;
        traced.set(index, now);
        trace({ kind: "remote-replication-changed", nodeId, index, state: now, reason });
      }
    },
  };
};
