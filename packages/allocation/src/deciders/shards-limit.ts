/** `shards_limit`: limits of the copies on a node, of one index and of all (`ShardsLimitAllocationDecider`). */
import { clusterSetting, indexSetting, type ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { copiesHeld, indexMetadataOf, type RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "shards_limit";
const INDEX = "index.routing.allocation.total_shards_per_node";
const INDEX_PRIMARY = "index.routing.allocation.total_primary_shards_per_node";
const CLUSTER = "cluster.routing.allocation.total_shards_per_node";
const CLUSTER_PRIMARY = "cluster.routing.allocation.total_primary_shards_per_node";

export const shardsLimit: Decider = {
  canAllocate: (copy, node, allocation) =>
    decide(copy, node, allocation, (count, limit) => count >= limit),
  canRemain: (copy, node, allocation) =>
    decide(copy, node, allocation, (count, limit) => count > limit),
};

type IsTooMany = (count: number, limit: number) => boolean;

function decide(
  copy: ShardRouting,
  node: RoutingNode,
  { routing, state }: Allocation,
  isTooMany: IsTooMany,
): Verdict {
  const metadata = indexMetadataOf(routing, copy.index);
  const index = indexSetting(metadata, INDEX);
  const indexPrimary = indexSetting(metadata, INDEX_PRIMARY);
  const cluster = clusterSetting(state, CLUSTER);
  const clusterPrimary = clusterSetting(state, CLUSTER_PRIMARY);
  if (index <= 0 && indexPrimary <= 0 && cluster <= 0 && clusterPrimary <= 0) {
    return yes(
      LABEL,
      () =>
        `total shard limits are disabled: [index: ${index}, index primary: ${indexPrimary}, cluster: ${cluster}, cluster primary: ${clusterPrimary}] <= 0`,
    );
  }
  const owned = copiesHeld(node.copies).filter(({ state: held }) => held !== "RELOCATING");
  const count = (counts: (held: ShardRouting) => boolean): number => owned.filter(counts).length;
  const isOver = (held: number, limit: number): boolean => limit > 0 && isTooMany(held, limit);
  const ofIndex = (held: ShardRouting): boolean => held.index === copy.index;
  if (isOver(owned.length, cluster)) {
    return no(
      LABEL,
      () =>
        `too many shards [${owned.length}] allocated to this node, cluster setting [${CLUSTER}=${cluster}]`,
    );
  }
  const primaries = count((held) => held.primary);
  if (copy.primary && isOver(primaries, clusterPrimary)) {
    return no(
      LABEL,
      () =>
        `too many primary shards [${primaries}] allocated to this node, cluster setting [${CLUSTER_PRIMARY}=${clusterPrimary}]`,
    );
  }
  const indexCount = count(ofIndex);
  if (isOver(indexCount, index)) {
    return no(
      LABEL,
      () =>
        `too many shards [${indexCount}] allocated to this node for index [${copy.index}], index setting [${INDEX}=${index}]`,
    );
  }
  const indexPrimaries = count((held) => held.primary && ofIndex(held));
  if (copy.primary && isOver(indexPrimaries, indexPrimary)) {
    return no(
      LABEL,
      () =>
        `too many primary shards [${indexPrimaries}] allocated to this node for index [${copy.index}], index setting [${INDEX_PRIMARY}=${indexPrimary}]`,
    );
  }
  return yes(
    LABEL,
    () =>
      `the shard count [${owned.length}] for this node is under the index limit [${index}], index primary limit [${indexPrimary}], cluster level node limit [${cluster}] and cluster level primary node limit [${clusterPrimary}]`,
  );
}
