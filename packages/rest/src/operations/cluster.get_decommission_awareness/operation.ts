/** `cluster.get_decommission_awareness`: status of the decommission of a zone. */
import { decommissionOf } from "@orrery/cluster-state";
import { defineOperation, type Operation } from "../../operation.ts";

const managerTimeoutMs = 30_000;

export const clusterGetDecommissionAwareness: Operation = defineOperation({
  group: "cluster.get_decommission_awareness",
  permission: "cluster:admin/decommission/awareness/get",
  routes: ["GET /_cluster/decommission/awareness/{awareness_attribute_name}/_status"],
  query: {},
  deviations: [],

  async handle({ path }, cluster) {
    const held = decommissionOf(await cluster.managerState(managerTimeoutMs));
    if (held === undefined || held.attribute !== path["awareness_attribute_name"]) {
      return { body: {} };
    }
    return { body: { [held.value]: held.status.toUpperCase() } };
  },
});
