/** Names that both clusters agree on. */
import type { ClusterState } from "@orrery/cluster-state";

/** Name in `_cat/plugins`. */
export const PLUGIN_NAME = "opensearch-cross-cluster-replication";

/** Setting that marks a follower index; its value is `<alias>:<leader index>`. */
export const LEADER_INDEX_SETTING = "index.plugins.replication.follower.leader_index";
/** Setting of a leader index that prunes its translog by retention leases. */
export const PRUNING_SETTING = "index.plugins.replication.translog.retention_lease.pruning.enabled";

/** Setting of a follower index: operations per request. */
export const BATCH_SETTING = "index.plugins.replication.follower.index.ops_batch_size";

const REPOSITORY_PREFIX = "replication-remote-repo-";

/** Name of the repository as which a remote cluster appears to a restore. */
export function repositoryOf(alias: string): string {
  return `${REPOSITORY_PREFIX}${alias}`;
}

/** The alias of the remote cluster that a repository stands for; `undefined` for an ordinary repository. */
export function aliasOfRepository(repository: string): string | undefined {
  return repository.startsWith(REPOSITORY_PREFIX)
    ? repository.slice(REPOSITORY_PREFIX.length)
    : undefined;
}

/** Name of the snapshot as which a leader index appears to a restore. */
export const SNAPSHOT = "replication-remote-snapshot";

/** Source of a lease on the leader: the follower cluster. */
export function leaseSource(state: Pick<ClusterState, "clusterName" | "metadata">): string {
  return `replication:${state.clusterName}:${state.metadata.clusterUuid}`;
}

/** Id of the lease of one follower shard. */
export function leaseId(
  state: Pick<ClusterState, "clusterName" | "metadata">,
  follower: string,
  shard: number,
): string {
  return `${leaseSource(state)}:[${follower}][${shard}]`;
}

/** Prefix of the ids of all leases of followers. */
export const LEASE_PREFIX = "replication:";
