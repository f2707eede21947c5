/** `cluster.delete_decommission_awareness`: recommissions, whatever the status; nodes that were removed may come back. */
import { passLastingBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const clusterDeleteDecommissionAwareness: Operation = defineOperation({
  group: "cluster.delete_decommission_awareness",
  permission: "cluster:admin/decommission/awareness/delete",
  routes: ["DELETE /_cluster/decommission/awareness"],
  query: {},
  deviations: [],

  async handle(_, cluster) {
    passLastingBlocks(cluster.state(), "metadata_write", []);
    await cluster.submit({ kind: "delete-decommission-state" }, { priority: "URGENT" });
    return { body: { acknowledged: true } };
  },
});
