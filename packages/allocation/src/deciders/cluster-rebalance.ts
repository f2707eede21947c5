/**
 * `cluster_rebalance`: rebalancing waits for active copies, as `cluster.routing.allocation.allow_rebalance` demands
 * (`ClusterRebalanceAllocationDecider`).
 */
import { clusterSetting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { hasInactive, hasUnassigned } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "cluster_rebalance";
const KEY = "cluster.routing.allocation.allow_rebalance";

export const clusterRebalance: Decider = {
  canRebalance: (_, allocation) => decide(allocation),
  canRebalanceCluster: decide,
};

function decide({ routing, state }: Allocation): Verdict {
  const allowed = clusterSetting(state, KEY).toLowerCase();
  if (allowed === "always") return yes(LABEL, () => "all shards are active");
  const primariesOnly = allowed === "indices_primaries_active";
  const kind = primariesOnly ? "primary shards" : "shards";
  const refuse = (state_: string): Verdict =>
    no(
      LABEL,
      () => `the cluster has ${state_} ${kind} and cluster setting [${KEY}] is set to [${allowed}]`,
    );
  if (hasUnassigned(routing, primariesOnly)) return refuse("unassigned");
  if (hasInactive(routing, primariesOnly)) return refuse("inactive");
  return yes(LABEL, () => `all ${kind} are active`);
}
