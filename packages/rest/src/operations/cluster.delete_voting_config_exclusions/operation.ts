/**
 * `cluster.delete_voting_config_exclusions`: clears the exclusions; with `wait_for_removal` (the default) only after
 * the excluded nodes have left.
 */
import type { ClusterState } from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag } from "../../parameters.ts";

export const clusterDeleteVotingConfigExclusions: Operation = defineOperation({
  group: "cluster.delete_voting_config_exclusions",
  permission: "cluster:admin/voting_config/clear_exclusions",
  routes: ["DELETE /_cluster/voting_config_exclusions"],
  query: { wait_for_removal: flag(true) },
  deviations: [],

  async handle({ query }, cluster) {
    if (query.wait_for_removal) {
      const areGone = (state: ClusterState): boolean =>
        state.metadata.coordination.votingConfigExclusions.every(
          ({ nodeId }) => ![...state.nodes.keys()].some((id) => id === nodeId),
        );
      const { timedOut } = await cluster.stateWhen(areGone, 30_000);
      if (timedOut) {
        const reason =
          "timed out waiting for removal of nodes; if nodes should not be removed, set waitForRemoval to false";
        throw new OperationError({ type: "timeout_exception", reason, status: 500 });
      }
    }
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    await cluster.submit({ kind: "clear-voting-config-exclusions" }, { priority: "URGENT" });
    return { text: "", contentType: "application/json; charset=UTF-8" };
  },
});
