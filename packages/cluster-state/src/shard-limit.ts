/** Limit of shard copies in a cluster (`ShardLimitValidator`): `cluster.max_shards_per_node` times the number of data nodes. */
import type { Problem } from "@orrery/stdx";
import { clusterSetting } from "./settings/registry.ts";
import { validationProblem } from "./settings/validate.ts";
import type { ClusterState, IndexMetadata } from "./types.ts";

/**
 * The problem of adding copies, if their number and that of the copies of open, non-system indices exceed the limit
 * together; undefined within the limit, and without data nodes.
 */
export function shardLimitProblem(state: ClusterState, added: number): Problem | undefined {
  const dataNodes = [...state.nodes.values()].filter(({ roles }) => roles.includes("data")).length;
  if (dataNodes === 0 || added <= 0) return undefined;
  const limit = clusterSetting(state, "cluster.max_shards_per_node") * dataNodes;
  const open = openShards(state);
  if (open + added <= limit) return undefined;
  return validationProblem(
    `1: this action would add [${added}] total LOCAL_ONLY shards, but this cluster currently has [${open}]/[${limit}] maximum LOCAL_ONLY shards open;`,
  );
}

function openShards(state: ClusterState): number {
  let total = 0;
  for (const index of state.metadata.indices.values()) {
    if (index.state === "open" && !index.isSystem) total += totalCopies(index);
  }
  return total;
}

/** Number of copies of an index, primaries and replicas. */
export function totalCopies(index: IndexMetadata): number {
  return index.numberOfShards * (1 + index.numberOfReplicas);
}
