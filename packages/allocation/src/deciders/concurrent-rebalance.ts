/**
 * `concurrent_rebalance`: a limit of relocations at the same time, asked for rebalancing
 * (`ConcurrentRebalanceAllocationDecider`).
 */
import { clusterSetting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { throttle, yes, type Verdict } from "../decision.ts";
import type { Decider } from "./decider.ts";

const LABEL = "concurrent_rebalance";
const KEY = "cluster.routing.allocation.cluster_concurrent_rebalance";

export const concurrentRebalance: Decider = {
  canRebalance: (_, allocation) => decide(allocation),
  canRebalanceCluster: decide,
};

function decide({ routing, state }: Allocation): Verdict {
  const most = clusterSetting(state, KEY);
  if (most === -1) return yes(LABEL, () => "unlimited concurrent rebalances are allowed");
  const moving = routing.relocating.size;
  if (moving >= most) {
    return throttle(
      LABEL,
      () =>
        `reached the limit of concurrently rebalancing shards [${moving}], cluster setting [${KEY}=${most}]`,
    );
  }
  return yes(
    LABEL,
    () =>
      `below threshold [${most}] for concurrent rebalances, current rebalance shard count [${moving}]`,
  );
}
