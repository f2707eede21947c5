/**
 * `rebalance_only_when_active`: no copy of a shard is moved for balance while one of them is inactive
 * (`RebalanceOnlyWhenActiveAllocationDecider`).
 */
import { isActive } from "@orrery/cluster-state";
import { no, yes } from "../decision.ts";
import { rowOf } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "rebalance_only_when_active";

export const rebalanceOnlyWhenActive: Decider = {
  canRebalance(copy, { routing }) {
    if (rowOf(routing, copy.index, copy.shard).every(isActive)) {
      return yes(LABEL, () => "rebalancing is allowed as all replicas are active in the cluster");
    }
    return no(
      LABEL,
      () => "rebalancing is not allowed until all replicas in the cluster are active",
    );
  },
};
