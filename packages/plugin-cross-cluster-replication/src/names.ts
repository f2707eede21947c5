/** Names that both clusters agree on. */
import type { ClusterState } from "@orrery/cluster-state";

/** As `_cat/plugins` lists it. */
export const PLUGIN_NAME = "opensearch-cross-cluster-replication";

/** The marker of a follower index: `<alias>:<leader index>`. */
export const LEADER_INDEX_SETTING = "index.plugins.replication.follower.leader_index";
export const PRUNING_SETTING = "index.plugins.replication.translog.retention_lease.pruning.enabled";

/** How many operations one question of this follower asks for. */
export const BATCH_SETTING = "index.plugins.replication.follower.index.ops_batch_size";

const REPOSITORY_PREFIX = "replication-remote-repo-";

/** The repository that a remote cluster looks like. */
export function repositoryOf(alias: string): string {
  return `${REPOSITORY_PREFIX}${alias}`;
}

export function aliasOfRepository(repository: string): string | undefined {
  return repository.startsWith(REPOSITORY_PREFIX)
    ? repository.slice(REPOSITORY_PREFIX.length)
    : undefined;
}

export const SNAPSHOT = "replication-remote-snapshot";

/** Who holds a lease on the leader: this cluster. */
export function leaseSource(state: Pick<ClusterState, "clusterName" | "metadata">): string {
  return `replication:${state.clusterName}:${state.metadata.clusterUuid}`;
}

export function leaseId(
  state: Pick<ClusterState, "clusterName" | "metadata">,
  follower: string,
  shard: number,
): string {
  return `${leaseSource(state)}:[${follower}][${shard}]`;
}

export const LEASE_PREFIX = "replication:";
