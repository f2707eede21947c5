/** `cluster.get_weighted_routing`: weights of the values of an awareness attribute. */
import { attributeProblem, weightedRoutingOf, weightText } from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";

export const clusterGetWeightedRouting: Operation = defineOperation({
  group: "cluster.get_weighted_routing",
  permission: "cluster:admin/routing/awareness/weights/get",
  routes: ["GET /_cluster/routing/awareness/{attribute}/weights"],
  query: { local: flag(false) },
  deviations: [
    {
      kind: "parameter",
      name: "local",
      reason: "not in the description; the product takes it",
    },
  ],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, { ...noTimeouts, local: query.local });
    const problem = attributeProblem(cluster.withOwnSettings(state), path["attribute"] ?? "");
    if (problem !== undefined) throw new OperationError(problem);
    const routing = weightedRoutingOf(state);
    if (routing === undefined) return { body: {} };
    const weights = [...routing.weights].map(
      ([value, weight]) => [value, weightText(weight)] as const,
    );
    return {
      body: {
        weights: Object.fromEntries(weights),
        _version: routing.version,
        discovered_cluster_manager: state.managerNodeId !== undefined,
      },
    };
  },
});

const noTimeouts = { cluster_manager_timeout: undefined, master_timeout: undefined };
