/** Statistics operations: `replication.leader_stats`, `follower_stats`, `autofollow_stats`. */
import { defineOperation, type Operation } from "@orrery/rest";
import { autoFollowStats, followerStats, leaderStats } from "../follower/stats.ts";
import { nodeOf } from "../node-of.ts";

export const leaderStatsOperation: Operation = defineOperation({
  group: "replication.leader_stats",
  permission: "cluster:monitor/plugins/replication/leader/stats",
  routes: ["GET /_plugins/_replication/leader_stats"],
  query: {},
  deviations: [],
  handle: async (_, cluster) => ({ body: await leaderStats(nodeOf(cluster)) }),
});

export const followerStatsOperation: Operation = defineOperation({
  group: "replication.follower_stats",
  permission: "cluster:monitor/plugins/replication/follower/stats",
  routes: ["GET /_plugins/_replication/follower_stats"],
  query: {},
  deviations: [],
  handle: async (_, cluster) => ({ body: await followerStats(nodeOf(cluster)) }),
});

export const autoFollowStatsOperation: Operation = defineOperation({
  group: "replication.autofollow_stats",
  permission: "indices:admin/plugins/replication/autofollow/stats",
  routes: ["GET /_plugins/_replication/autofollow_stats"],
  query: {},
  deviations: [],
  handle: async (_, cluster) => ({ body: await autoFollowStats(nodeOf(cluster)) }),
});
