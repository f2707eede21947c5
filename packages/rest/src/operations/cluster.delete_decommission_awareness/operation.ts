/** `cluster.delete_decommission_awareness`: ends a decommission, whatever its status; removed nodes may rejoin. */
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const clusterDeleteDecommissionAwareness: Operation = defineOperation({
  group: "cluster.delete_decommission_awareness",
  permission: "cluster:admin/decommission/awareness/delete",
  routes: ["DELETE /_cluster/decommission/awareness"],
  query: {},
  deviations: [],

  async handle(_, cluster) {
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    await cluster.submit({ kind: "delete-decommission-state" }, { priority: "URGENT" });
    return { body: { acknowledged: true } };
  },
});
