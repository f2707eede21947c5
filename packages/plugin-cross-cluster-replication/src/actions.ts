/**
 * Transport actions of the plugin, under the product's names, with their senders and permissions. Some cross between
 * the clusters, others stay within the follower's.
 */
import type { ActionRow } from "@orrery/protocol";

/** The names of transport actions, by the key under which the code refers to them. */
export const actions = {
  /** From the follower to any node of the leader cluster, which forwards to the shard's primary. */
  changes: "indices:data/read/plugins/replication/changes",
  openFiles: "indices:data/read/plugins/replication/file_metadata",
  readFile: "indices:data/read/plugins/replication/file_chunk",
  closeFiles: "internal:indices/plugins/replication/resources/release",
  addLease: "indices:admin/seq_no/add_retention_lease",
  renewLease: "indices:admin/seq_no/renew_retention_lease",
  removeLease: "indices:admin/seq_no/remove_retention_lease",
  /** Counters of a shard of the leader index. */
  leaderShard: "cluster:monitor/plugins/replication/leader/shard",
  /** Changes settings of the leader index. */
  leaderSettings: "indices:admin/settings/update",
  /** From the shard task to the follower's primary. */
  replay: "indices:data/write/plugins/replication/changes",
  /** From a shard worker to its own node, which has the connections to other clusters. */
  remote: "internal:plugins/replication/remote",
  /** From one node to each other: state of the tasks that run there, and of the leader shards it holds. */
  shardStatus: "indices:admin/plugins/replication/index/status_check",
  followerStats: "cluster:monitor/plugins/replication/follower/stats",
  leaderStats: "cluster:monitor/plugins/replication/leader/stats",
  autoFollowStats: "indices:admin/plugins/replication/autofollow/stats",
} as const;

const rows: Readonly<Record<keyof typeof actions, ActionRow>> = {
  changes: { sender: "nodes and clients", permission: actions.changes },
  openFiles: { sender: "nodes and clients", permission: actions.openFiles },
  readFile: { sender: "nodes and clients", permission: actions.readFile },
  closeFiles: { sender: "nodes and clients", permission: actions.closeFiles },
  addLease: { sender: "nodes and clients", permission: actions.addLease },
  renewLease: { sender: "nodes and clients", permission: actions.renewLease },
  removeLease: { sender: "nodes and clients", permission: actions.removeLease },
  leaderShard: { sender: "nodes", permission: actions.leaderShard },
  leaderSettings: { sender: "nodes and clients", permission: actions.leaderSettings },
  replay: { sender: "nodes", permission: actions.replay },
  remote: { sender: "self", permission: actions.remote },
  shardStatus: { sender: "nodes", permission: actions.shardStatus },
  followerStats: { sender: "nodes", permission: actions.followerStats },
  leaderStats: { sender: "nodes", permission: actions.leaderStats },
  autoFollowStats: { sender: "nodes", permission: actions.autoFollowStats },
};

/** Senders and permissions by action name. */
export const actionRows: Readonly<Record<string, ActionRow>> = Object.fromEntries(
  (Object.keys(rows) as (keyof typeof actions)[]).map((key) => [actions[key], rows[key]]),
);
