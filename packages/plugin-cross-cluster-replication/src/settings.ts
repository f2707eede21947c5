/** Settings of the plugin. Source: `ReplicationPlugin`. */
import {
  pluginSetting,
  settingTable,
  type ClusterState,
  type SettingRow,
} from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { BATCH_SETTING, LEADER_INDEX_SETTING, PRUNING_SETTING } from "./names.ts";

const FOLLOWER = "plugins.replication.follower";
const AUTO_FOLLOW = "plugins.replication.autofollow";

/** Cluster settings: name, type, default, flags (`d`: dynamic), limits. */
export const clusterSettings: readonly SettingRow[] = [
  [`${FOLLOWER}.index.ops_batch_size`, "int", "50000", "d", "16"],
  [`${FOLLOWER}.index.recovery.chunk_size`, "bytes", "10mb", "d", "1mb", "1gb"],
  [`${FOLLOWER}.index.recovery.max_concurrent_file_chunks`, "int", "5", "d", "1", "10"],
  [`${FOLLOWER}.concurrent_readers_per_shard`, "int", "2", "d", "1"],
  [`${FOLLOWER}.concurrent_writers_per_shard`, "int", "2", "d", "1"],
  [`${FOLLOWER}.poll_interval`, "duration", "50ms", "d", "1ms"],
  [`${FOLLOWER}.metadata_sync_interval`, "duration", "60s", "d", "5s"],
  [`${FOLLOWER}.retention_lease_max_failure_duration`, "duration", "1h", "d", "1s", "12h"],
  [`${FOLLOWER}.block.start`, "boolean", "false", "d"],
  [`${AUTO_FOLLOW}.fetch_poll_interval`, "duration", "30s", "d", "30s", "1h"],
  [`${AUTO_FOLLOW}.retry_poll_interval`, "duration", "1h", "d", "30m", "4h"],
  [`${AUTO_FOLLOW}.concurrent_replication_jobs_trigger_size`, "int", "3", "d", "1", "100"],
  ["plugins.replication.leader.thread_pool.size", "int", "0", ""],
  ["plugins.replication.leader.thread_pool.queue_size", "int", "1000", ""],
  ["plugins.replication.replicate.delete_index", "boolean", "false", "d"],
];

const table = settingTable(clusterSettings, "cluster");

/** Index settings; `i` marks one that only the plugin sets. */
export const indexSettings: readonly SettingRow[] = [
  [LEADER_INDEX_SETTING, "text", "", "i"],
  [PRUNING_SETTING, "boolean", "false", "d"],
  [BATCH_SETTING, "int", "50000", "d", "16"],
];

/** The applied state with the settings of the node's own configuration below those of the cluster. */
export function seenOn({ state, withOwnSettings }: Cluster): ClusterState {
  return withOwnSettings(state());
}

/** Settings of followers, with units in the names. */
export interface FollowerSettings {
  readonly batchOperations: number;
  readonly chunkBytes: number;
  readonly concurrentChunks: number;
  readonly readers: number;
  readonly writers: number;
  readonly pollIntervalMs: number;
  readonly metadataSyncMs: number;
  readonly leaseMaxFailureMs: number;
  readonly isStartBlocked: boolean;
  readonly replicatesDeletion: boolean;
}

/** The settings of followers that are in force in a state. */
export function followerSettings(state: ClusterState): FollowerSettings {
  const number = (name: string): number =>
    Number(pluginSetting(table, state, `${FOLLOWER}.${name}`));
  return {
    batchOperations: number("index.ops_batch_size"),
    chunkBytes: number("index.recovery.chunk_size"),
    concurrentChunks: number("index.recovery.max_concurrent_file_chunks"),
    readers: number("concurrent_readers_per_shard"),
    writers: number("concurrent_writers_per_shard"),
    pollIntervalMs: number("poll_interval"),
    metadataSyncMs: number("metadata_sync_interval"),
    leaseMaxFailureMs: number("retention_lease_max_failure_duration"),
    isStartBlocked: pluginSetting(table, state, `${FOLLOWER}.block.start`) === true,
    replicatesDeletion:
      pluginSetting(table, state, "plugins.replication.replicate.delete_index") === true,
  };
}

/** Settings of auto-follow. */
export interface AutoFollowSettings {
  readonly pollMs: number;
  readonly retryMs: number;
  readonly parallelStarts: number;
}

/** The settings of auto-follow that are in force in a state. */
export function autoFollowSettings(state: ClusterState): AutoFollowSettings {
  const number = (name: string): number =>
    Number(pluginSetting(table, state, `${AUTO_FOLLOW}.${name}`));
  return {
    pollMs: number("fetch_poll_interval"),
    retryMs: number("retry_poll_interval"),
    parallelStarts: number("concurrent_replication_jobs_trigger_size"),
  };
}
