/** Settings of the plugin. Source: `ReplicationPlugin`. */
import {
  booleanSetting,
  bytesSetting,
  durationSetting,
  intSetting,
  pluginSetting,
  settingTable,
  textSetting,
  type ClusterState,
  type NodeSettingRow,
  type SettingRow,
} from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { BATCH_SETTING, LEADER_INDEX_SETTING, PRUNING_SETTING } from "./names.ts";

const FOLLOWER = "plugins.replication.follower";
const AUTO_FOLLOW = "plugins.replication.autofollow";

/** Cluster settings. */
export const clusterSettings: readonly NodeSettingRow[] = [
  {
    name: `${FOLLOWER}.index.ops_batch_size`,
    hasEffect: true,
    type: intSetting(50000, { min: 16 }),
    isDynamic: true,
  },
  {
    name: `${FOLLOWER}.index.recovery.chunk_size`,
    hasEffect: true,
    type: bytesSetting("10mb", { min: "1mb", max: "1gb" }),
    isDynamic: true,
  },
  {
    name: `${FOLLOWER}.index.recovery.max_concurrent_file_chunks`,
    hasEffect: true,
    type: intSetting(5, { min: 1, max: 10 }),
    isDynamic: true,
  },
  {
    name: `${FOLLOWER}.concurrent_readers_per_shard`,
    hasEffect: true,
    type: intSetting(2, { min: 1 }),
    isDynamic: true,
  },
  {
    name: `${FOLLOWER}.concurrent_writers_per_shard`,
    hasEffect: true,
    type: intSetting(2, { min: 1 }),
    isDynamic: true,
  },
  {
    name: `${FOLLOWER}.poll_interval`,
    hasEffect: true,
    type: durationSetting("50ms", { min: "1ms" }),
    isDynamic: true,
  },
  {
    name: `${FOLLOWER}.metadata_sync_interval`,
    hasEffect: true,
    type: durationSetting("60s", { min: "5s" }),
    isDynamic: true,
  },
  {
    name: `${FOLLOWER}.retention_lease_max_failure_duration`,
    hasEffect: true,
    type: durationSetting("1h", { min: "1s", max: "12h" }),
    isDynamic: true,
  },
  {
    name: `${FOLLOWER}.block.start`,
    hasEffect: true,
    type: booleanSetting(false),
    isDynamic: true,
  },
  {
    name: `${AUTO_FOLLOW}.fetch_poll_interval`,
    hasEffect: true,
    type: durationSetting("30s", { min: "30s", max: "1h" }),
    isDynamic: true,
  },
  {
    name: `${AUTO_FOLLOW}.retry_poll_interval`,
    hasEffect: true,
    type: durationSetting("1h", { min: "30m", max: "4h" }),
    isDynamic: true,
  },
  {
    name: `${AUTO_FOLLOW}.concurrent_replication_jobs_trigger_size`,
    hasEffect: true,
    type: intSetting(3, { min: 1, max: 100 }),
    isDynamic: true,
  },
  { name: "plugins.replication.leader.thread_pool.size", hasEffect: false, type: intSetting(0) },
  {
    name: "plugins.replication.leader.thread_pool.queue_size",
    hasEffect: false,
    type: intSetting(1000),
  },
  {
    name: "plugins.replication.replicate.delete_index",
    hasEffect: true,
    type: booleanSetting(false),
    isDynamic: true,
  },
];

const table = settingTable(clusterSettings, "cluster");

/** Index settings. */
export const indexSettings: readonly SettingRow[] = [
  { name: LEADER_INDEX_SETTING, type: textSetting(""), isInternal: true },
  { name: PRUNING_SETTING, type: booleanSetting(false), isDynamic: true },
  { name: BATCH_SETTING, type: intSetting(50000, { min: 16 }), isDynamic: true },
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
