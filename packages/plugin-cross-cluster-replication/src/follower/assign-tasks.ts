/** The elected cluster manager's part: a service of its term that gives every task of the plugin a node. */
import type { ClusterState } from "@orrery/cluster-state";
import type { BeginPluginTerm } from "@orrery/node";
import { problemIn } from "../problems.ts";
import { assignTasks } from "../state/assign.ts";
import { replicationTask } from "../state/reducers.ts";

export const assignTasksOfTerm: BeginPluginTerm = ({ cluster }) => {
  let isAssigning = false;
  let isOver = false;

  const assign = (state: ClusterState): void => {
    if (isAssigning || assignTasks(state) === state) return;
    isAssigning = true;
    void cluster
      .submit(replicationTask("replication/assign", {}))
      .catch(problemIn)
      .finally(() => {
        isAssigning = false;
        // What has changed meanwhile was not looked at.
        if (!isOver) assign(cluster.state());
      });
  };

  return {
    applied: assign,
    end: () => {
      isOver = true;
    },
  };
};
