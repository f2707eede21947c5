/** All deciders by name, in the order in which they are asked and explained. */
import { awareness } from "./awareness.ts";
import { clusterConcurrentRecoveries } from "./cluster-concurrent-recoveries.ts";
import { clusterRebalance } from "./cluster-rebalance.ts";
import { concurrentRebalance } from "./concurrent-rebalance.ts";
import type { Decider } from "./decider.ts";
import { diskThreshold } from "./disk-threshold.ts";
import { enable } from "./enable.ts";
import { filter } from "./filter.ts";
import { loadAwareness } from "./load-awareness.ts";
import { maxRetry } from "./max-retry.ts";
import { nodeVersion } from "./node-version.ts";
import { rebalanceOnlyWhenActive } from "./rebalance-only-when-active.ts";
import { remoteStoreMigration } from "./remote-store-migration.ts";
import { replicaAfterPrimaryActive } from "./replica-after-primary-active.ts";
import { resize } from "./resize.ts";
import { restoreInProgress } from "./restore-in-progress.ts";
import { sameShard } from "./same-shard.ts";
import { searchReplicaAllocation } from "./search-replica-allocation.ts";
import { shardsLimit } from "./shards-limit.ts";
import { snapshotInProgress } from "./snapshot-in-progress.ts";
import { targetPool } from "./target-pool.ts";
import { throttling } from "./throttling.ts";

export type DeciderName =
  | "max_retry"
  | "resize"
  | "replica_after_primary_active"
  | "rebalance_only_when_active"
  | "cluster_rebalance"
  | "concurrent_rebalance"
  | "cluster_concurrent_recoveries"
  | "enable"
  | "node_version"
  | "snapshot_in_progress"
  | "restore_in_progress"
  | "filter"
  | "search_replica_allocation"
  | "same_shard"
  | "disk_threshold"
  | "throttling"
  | "shards_limit"
  | "awareness"
  | "load_awareness"
  | "target_pool"
  | "remote_store_migration";

export const decidersByName: Readonly<Record<DeciderName, Decider>> = {
  max_retry: maxRetry,
  resize,
  replica_after_primary_active: replicaAfterPrimaryActive,
  rebalance_only_when_active: rebalanceOnlyWhenActive,
  cluster_rebalance: clusterRebalance,
  concurrent_rebalance: concurrentRebalance,
  cluster_concurrent_recoveries: clusterConcurrentRecoveries,
  enable,
  node_version: nodeVersion,
  snapshot_in_progress: snapshotInProgress,
  restore_in_progress: restoreInProgress,
  filter,
  search_replica_allocation: searchReplicaAllocation,
  same_shard: sameShard,
  disk_threshold: diskThreshold,
  throttling,
  shards_limit: shardsLimit,
  awareness,
  load_awareness: loadAwareness,
  target_pool: targetPool,
  remote_store_migration: remoteStoreMigration,
};

export const deciders: readonly Decider[] = Object.values(decidersByName);
