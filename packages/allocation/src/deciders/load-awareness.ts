/**
 * `load_awareness`: no node holds far more copies than the average over the provisioned capacity, however few nodes
 * are live (`NodeLoadAwareAllocationDecider`).
 */
import { clusterSetting, type ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { copiesHeld, type RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "load_awareness";
const PREFIX = "cluster.routing.allocation.load_awareness";

export const loadAwareness: Decider = {
  canAllocate: (copy, node, allocation) =>
    decide(copy, node, allocation, (count, limit) => count >= limit),
  canRemain: (copy, node, allocation) =>
    decide(copy, node, allocation, (count, limit) => count > limit),
};

function decide(
  copy: ShardRouting,
  { copies }: RoutingNode,
  { state }: Allocation,
  isTooMany: (count: number, limit: number) => boolean,
): Verdict {
  const capacity = clusterSetting(state, `${PREFIX}.provisioned_capacity`);
  const factor = clusterSetting(state, `${PREFIX}.skew_factor`);
  if (capacity <= 0 || factor < 0) {
    return yes(
      LABEL,
      () =>
        `overload awareness allocation is not enabled, set cluster setting [${PREFIX}.skew_factor] and cluster setting [${PREFIX}.provisioned_capacity] to enable it`,
    );
  }
  const key = `${PREFIX}.allow_unassigned_primaries` as const;
  if (copy.primary && copy.state === "UNASSIGNED" && clusterSetting(state, key)) {
    return yes(
      LABEL,
      () =>
        `overload allocation awareness is allowed for unassigned primaries, set cluster setting [${key}] to disable it`,
    );
  }
  const flat = clusterSetting(state, `${PREFIX}.flat_skew`);
  const limit = Math.ceil((totalCopies(state) / capacity) * (1 + factor / 100) + flat);
  const held = copiesHeld(copies).filter(({ state: at }) => at !== "RELOCATING").length;
  if (isTooMany(held, limit)) {
    return no(
      LABEL,
      () =>
        `too many shards [${held}] allocated to this node, limit per node [${limit}] considering overload factor [${factor.toFixed(2)}] and flat skew [${flat}] based on capacity [${capacity}]`,
    );
  }
  return yes(LABEL, () => "node meets all skew awareness attribute requirements");
}

function totalCopies({ metadata }: Allocation["state"]): number {
  let total = 0;
  for (const { numberOfShards, numberOfReplicas } of metadata.indices.values()) {
    total += numberOfShards * (1 + numberOfReplicas);
  }
  return total;
}
