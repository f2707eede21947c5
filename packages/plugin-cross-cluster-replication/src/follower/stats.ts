/** Bodies of the three statistics operations. Counters live in runs and copies and are lost with them, as in the product. */
import type { PluginNode } from "@orrery/node";
import type { JsonObject } from "@orrery/stdx";
import { actions } from "../actions.ts";
import type { LeaderShardStats } from "../shard/status.ts";
import { sectionOf } from "../state/section.ts";
import { askNodes, type RuleStatus } from "./node-answers.ts";
import type { RunningShard } from "./runner.ts";
import type { ShardProgress } from "./shard-task.ts";

/** Statistics of leader shards, in total and by index. */
export async function leaderStats(node: PluginNode): Promise<JsonObject> {
  const shards = await askNodes<LeaderShardStats>(node, actions.leaderStats, {});
  const byIndex = grouped(shards, ({ index }) => index);
  return {
    num_replicated_indices: byIndex.size,
    ...leaderCounters(shards),
    index_stats: Object.fromEntries(
      [...byIndex].map(([index, own]) => [index, leaderCounters(own)]),
    ),
  };
}

function leaderCounters(shards: readonly LeaderShardStats[]): JsonObject {
  const sum = (of: (shard: LeaderShardStats) => number): number =>
    shards.reduce((total, shard) => total + of(shard), 0);
  const operations = sum((shard) => shard.operationsRead);
  return {
    operations_read: operations,
    translog_size_bytes: sum((shard) => shard.translogBytes),
    // History is always read from segments, never from the translog.
    operations_read_lucene: operations,
    operations_read_translog: 0,
    total_read_time_lucene_millis: Math.round(sum((shard) => shard.readMs)),
    total_read_time_translog_millis: 0,
    bytes_read: sum((shard) => shard.bytesRead),
  };
}

/** Statistics of followers, in total and by index. */
export async function followerStats(node: PluginNode): Promise<JsonObject> {
  const { followings } = sectionOf(node.cluster.state());
  const shards = await askNodes<RunningShard>(node, actions.followerStats, {});
  const byIndex = grouped(shards, ({ follower }) => follower);
  const running = followings.filter((one) => one.state === "RUNNING");
  const syncing = running.filter(({ follower }) => byIndex.has(follower)).length;
  return {
    num_syncing_indices: syncing,
    num_bootstrapping_indices: running.length - syncing,
    num_paused_indices: followings.filter((one) => one.state === "PAUSED").length,
    num_failed_indices: followings.filter((one) => one.state === "FAILED").length,
    num_shard_tasks: shards.length,
    num_index_tasks: running.length,
    ...followerCounters(shards),
    index_stats: Object.fromEntries(
      [...byIndex].map(([index, own]) => [index, followerCounters(own)]),
    ),
  };
}

function followerCounters(shards: readonly RunningShard[]): JsonObject {
  const sum = (name: keyof ShardProgress): number =>
    shards.reduce((total, { progress }) => total + progress[name], 0);
  return {
    operations_written: sum("operationsWritten"),
    operations_read: sum("operationsRead"),
    failed_read_requests: sum("failedReads"),
    throttled_read_requests: sum("throttledReads"),
    failed_write_requests: sum("failedWrites"),
    throttled_write_requests: sum("throttledWrites"),
    follower_checkpoint: sum("followerCheckpoint"),
    leader_checkpoint: sum("leaderCheckpoint"),
    total_write_time_millis: Math.round(sum("writeMs")),
  };
}

/** Statistics of auto-follow rules. */
export async function autoFollowStats(node: PluginNode): Promise<JsonObject> {
  const rules = await askNodes<RuleStatus>(node, actions.autoFollowStats, {});
  const each = rules.map(({ name, pattern, leaderAlias, progress }) => ({
    name,
    pattern,
    leader_alias: leaderAlias,
    num_success_start_replication: progress.started,
    num_failed_start_replication: progress.failedStarts,
    num_failed_leader_calls: progress.failedLeaderCalls,
    failed_indices: [...progress.failed],
    last_execution_time: progress.lastRunAtMs,
  }));
  const sum = (of: (rule: RuleStatus) => number): number =>
    rules.reduce((total, rule) => total + of(rule), 0);
  return {
    num_success_start_replication: sum(({ progress }) => progress.started),
    num_failed_start_replication: sum(({ progress }) => progress.failedStarts),
    num_failed_leader_calls: sum(({ progress }) => progress.failedLeaderCalls),
    failed_indices: [...new Set(rules.flatMap(({ progress }) => progress.failed))],
    autofollow_stats: each,
  };
}

function grouped<Item>(items: readonly Item[], by: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(by(item), [...(groups.get(by(item)) ?? []), item]);
  return groups;
}
