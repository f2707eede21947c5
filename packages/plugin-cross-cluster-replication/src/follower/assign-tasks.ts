/** Service of the elected cluster manager's term: assigns a node to every task of the plugin. */
import type { ClusterState } from "@orrery/cluster-state";
import type { BeginPluginTerm } from "@orrery/node";
import { problemIn } from "../problems.ts";
import { assignTasks } from "../state/assign.ts";
import { replicationTask } from "../state/reducers.ts";

/**
 * Service of the elected cluster manager that submits an assignment when the applied state has a task on the wrong
 * node. One submission at a time suffices, because the reducer computes the assignment from the state on which it runs.
 */
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
        // States applied while the submission was pending have not been examined.
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
