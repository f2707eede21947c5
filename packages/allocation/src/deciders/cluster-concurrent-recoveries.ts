/**
 * `cluster_concurrent_recoveries`: a limit of relocations at the same time, for any reason; unlimited by default
 * (`ConcurrentRecoveriesAllocationDecider`).
 */
import { clusterSetting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { throttle, yes, type Verdict } from "../decision.ts";
import type { Decider } from "./decider.ts";

const LABEL = "cluster_concurrent_recoveries";
const KEY = "cluster.routing.allocation.cluster_concurrent_recoveries";

export const clusterConcurrentRecoveries: Decider = {
  canAllocate: (_, __, allocation) => decide(allocation),
  canMoveAny: decide,
};

function decide({ routing, state }: Allocation): Verdict {
  const most = clusterSetting(state, KEY);
  if (most === -1) return yes(LABEL, () => "undefined cluster concurrent recoveries");
  const moving = routing.relocating.size;
  if (moving >= most) {
    return throttle(
      LABEL,
      () =>
        `too many shards are concurrently relocating [${moving}], limit: [${most}] cluster setting [${KEY}=${most}]`,
    );
  }
  return yes(
    LABEL,
    () =>
      `below threshold [${most}] for concurrent recoveries, current relocating shard count [${moving}]`,
  );
}
