/** The product's names of what crosses between the clusters, and inside the follower's; and who may send it. */
import type { Sender } from "@orrery/protocol";

export const actions = {
  /** Any node of the leader cluster, and then the shard's primary. */
  changes: "indices:data/read/plugins/replication/changes",
  openFiles: "indices:data/read/plugins/replication/file_metadata",
  readFile: "indices:data/read/plugins/replication/file_chunk",
  closeFiles: "internal:indices/plugins/replication/resources/release",
  addLease: "indices:admin/seq_no/add_retention_lease",
  renewLease: "indices:admin/seq_no/renew_retention_lease",
  removeLease: "indices:admin/seq_no/remove_retention_lease",
  /** The leader shard's counters. */
  leaderShard: "cluster:monitor/plugins/replication/leader/shard",
  /** Settings of the leader index. */
  leaderSettings: "indices:admin/settings/update",
  /** The follower's primary. */
  replay: "indices:data/write/plugins/replication/changes",
  /** A shard worker to its own node. */
  remote: "internal:plugins/replication/remote",
  /** Each node about the tasks it runs, and about leader shards it holds. */
  shardStatus: "indices:admin/plugins/replication/index/status_check",
  followerStats: "cluster:monitor/plugins/replication/follower/stats",
  leaderStats: "cluster:monitor/plugins/replication/leader/stats",
  autoFollowStats: "indices:admin/plugins/replication/autofollow/stats",
} as const;

const rows: Readonly<Record<keyof typeof actions, Sender>> = {
  changes: "nodes and clients",
  openFiles: "nodes and clients",
  readFile: "nodes and clients",
  closeFiles: "nodes and clients",
  addLease: "nodes and clients",
  renewLease: "nodes and clients",
  removeLease: "nodes and clients",
  leaderShard: "nodes",
  leaderSettings: "nodes and clients",
  replay: "nodes",
  remote: "self",
  shardStatus: "nodes",
  followerStats: "nodes",
  leaderStats: "nodes",
  autoFollowStats: "nodes",
};

/** By the name of the action. */
export const senders: Readonly<Record<string, Sender>> = Object.fromEntries(
  (Object.keys(rows) as (keyof typeof actions)[]).map((key) => [actions[key], rows[key]]),
);
