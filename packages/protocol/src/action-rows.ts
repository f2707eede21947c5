/**
 * For every action: its permitted senders, and the permission of the client request that it serves. Every action has
 * a row, so a new one must state both.
 *
 * Nodes have proved the cluster's secret; clients of other clusters have proved only their own. A joining node is
 * treated like a member, because nodes apply the state that makes it a member at different times.
 */
import { actions } from "./actions.ts";

/**
 * Permitted senders. `self`: only the node itself, on behalf of its shard workers. `candidates`:
 * cluster-manager-eligible nodes, because only an elected one sends it. `nodes`: any node of the cluster. `nodes and
 * clients`: also nodes of other clusters.
 */
export type Sender = "self" | "candidates" | "nodes" | "nodes and clients";

/** A permission that a client can be granted: the product's name of an action. */
export type ClientPermission = `cluster:${string}` | `indices:${string}`;

/**
 * The permission that guards check for an action. `internal:…` marks work among nodes, which clients are neither
 * granted nor refused.
 */
export type Permission = ClientPermission | `internal:${string}`;

/** Senders and permission of an action. */
export interface ActionRow {
  readonly sender: Sender;
  /** Permission of the client request that the action is part of, as the product checks it there. */
  readonly permission: Permission;
}

const rows: Readonly<Record<keyof typeof actions, ActionRow>> = {
  bulkShard: { sender: "nodes", permission: "indices:data/write/bulk[s]" },
  getShard: { sender: "nodes", permission: "indices:data/read/get" },
  canMatch: { sender: "nodes", permission: "indices:data/read/search" },
  statisticsPhase: { sender: "nodes", permission: "indices:data/read/search" },
  queryPhase: { sender: "nodes", permission: "indices:data/read/search" },
  fetchPhase: { sender: "nodes", permission: "indices:data/read/search" },
  canMatchShards: { sender: "nodes", permission: "indices:data/read/search" },
  statisticsShards: { sender: "nodes", permission: "indices:data/read/search" },
  queryShards: { sender: "nodes", permission: "indices:data/read/search" },
  fetchShards: { sender: "nodes", permission: "indices:data/read/search" },
  freeContext: { sender: "nodes", permission: "indices:data/read/search" },
  queryScroll: { sender: "nodes", permission: "indices:data/read/scroll" },
  fetchScroll: { sender: "nodes", permission: "indices:data/read/scroll" },
  createContext: { sender: "nodes", permission: "indices:data/read/point_in_time/create" },
  updateContext: { sender: "nodes", permission: "indices:data/read/point_in_time/create" },
  freeScrolls: { sender: "nodes", permission: "indices:data/read/scroll/clear" },
  listContexts: { sender: "nodes", permission: "indices:data/read/point_in_time/readall" },
  refreshShard: { sender: "nodes", permission: "indices:admin/refresh" },
  flushShard: { sender: "nodes", permission: "indices:admin/flush" },
  verifyShardBeforeClose: { sender: "nodes", permission: "indices:admin/close" },
  forceMergeShard: { sender: "nodes", permission: "indices:admin/forcemerge" },
  clearCacheShard: { sender: "nodes", permission: "indices:admin/cache/clear" },
  shardStats: { sender: "nodes", permission: "indices:monitor/stats" },
  shardSegments: { sender: "nodes", permission: "indices:monitor/segments" },
  shardRecovery: { sender: "nodes", permission: "indices:monitor/recovery" },
  snapshotShard: { sender: "candidates", permission: "internal:index/shard/snapshot[s]" },
  abortSnapshotShard: {
    sender: "candidates",
    permission: "internal:index/shard/snapshot/abort[s]",
  },
  snapshotShardStatus: { sender: "nodes", permission: "cluster:admin/snapshot/status" },
  nodeInfo: { sender: "nodes", permission: "cluster:monitor/nodes/info" },
  nodeStats: { sender: "nodes", permission: "cluster:monitor/nodes/stats" },
  danglingIndices: { sender: "nodes", permission: "cluster:admin/indices/dangling/list" },
  clusterState: { sender: "nodes and clients", permission: "cluster:monitor/state" },
  consensus: { sender: "nodes", permission: "internal:cluster/consensus" },
  consensusSnapshot: { sender: "candidates", permission: "internal:cluster/consensus/snapshot" },
  requestPeers: { sender: "nodes", permission: "internal:discovery/request_peers" },
  managerElected: { sender: "candidates", permission: "internal:discovery/manager_elected" },
  join: { sender: "nodes", permission: "internal:cluster/coordination/join" },
  followerCheck: {
    sender: "candidates",
    permission: "internal:coordination/fault_detection/follower_check",
  },
  leaderCheck: {
    sender: "nodes",
    permission: "internal:coordination/fault_detection/leader_check",
  },
  submitTask: { sender: "self", permission: "internal:cluster/submit" },
  managerTask: { sender: "nodes", permission: "internal:cluster/task" },
  shardStarted: { sender: "nodes", permission: "internal:cluster/shard/started" },
  shardFailed: { sender: "nodes", permission: "internal:cluster/shard/failure" },
  storedShard: { sender: "nodes", permission: "internal:gateway/local/started_shards" },
  stateApplied: { sender: "nodes", permission: "internal:cluster/state/applied" },
  readIndex: { sender: "nodes", permission: "internal:cluster/read_index" },
  reroute: { sender: "nodes", permission: "cluster:admin/reroute" },
  explainAllocation: { sender: "nodes", permission: "cluster:monitor/allocation/explain" },
  pendingTasks: { sender: "nodes", permission: "cluster:monitor/task" },
  decommission: { sender: "nodes", permission: "cluster:admin/decommission/awareness/put" },
  putRepository: { sender: "nodes", permission: "cluster:admin/repository/put" },
  deleteRepository: { sender: "nodes", permission: "cluster:admin/repository/delete" },
  verifyRepository: { sender: "nodes", permission: "cluster:admin/repository/verify" },
  verifyRepositoryHere: { sender: "candidates", permission: "internal:admin/repository/verify" },
  cleanUpRepository: { sender: "nodes", permission: "cluster:admin/repository/_cleanup" },
  createSnapshot: { sender: "nodes", permission: "cluster:admin/snapshot/create" },
  awaitSnapshot: { sender: "nodes", permission: "cluster:admin/snapshot/create" },
  cloneSnapshot: { sender: "nodes", permission: "cluster:admin/snapshot/clone" },
  getSnapshots: { sender: "nodes", permission: "cluster:admin/snapshot/get" },
  deleteSnapshots: { sender: "nodes", permission: "cluster:admin/snapshot/delete" },
  snapshotStatus: { sender: "nodes", permission: "cluster:admin/snapshot/status" },
  restoreSnapshot: { sender: "nodes", permission: "cluster:admin/snapshot/restore" },
  awaitRestore: { sender: "nodes", permission: "cluster:admin/snapshot/restore" },
  replicaOperations: { sender: "nodes", permission: "indices:data/write/bulk[s]" },
  refreshReplica: { sender: "nodes", permission: "indices:admin/refresh" },
  flushReplica: { sender: "nodes", permission: "indices:admin/flush" },
  verifyReplicaBeforeClose: { sender: "nodes", permission: "indices:admin/close" },
  resyncReplica: { sender: "nodes", permission: "internal:index/seq_no/resync" },
  syncGlobalCheckpoint: {
    sender: "nodes",
    permission: "indices:admin/seq_no/global_checkpoint_sync",
  },
  syncRetentionLeases: { sender: "nodes", permission: "indices:admin/seq_no/retention_lease_sync" },
  startRecovery: { sender: "nodes", permission: "internal:index/shard/recovery/start_recovery" },
  recoverFilesInfo: { sender: "nodes", permission: "internal:index/shard/recovery/filesInfo" },
  recoverFileChunk: { sender: "nodes", permission: "internal:index/shard/recovery/file_chunk" },
  recoverCleanFiles: { sender: "nodes", permission: "internal:index/shard/recovery/clean_files" },
  prepareOperations: {
    sender: "nodes",
    permission: "internal:index/shard/recovery/prepare_translog",
  },
  recoverOperations: { sender: "nodes", permission: "internal:index/shard/recovery/translog_ops" },
  finalizeRecovery: { sender: "nodes", permission: "internal:index/shard/recovery/finalize" },
  handOffPrimary: {
    sender: "nodes",
    permission: "internal:index/shard/recovery/handoff_primary_context",
  },
};

/** Senders and permission of every action, by action name. */
export const actionRows: ReadonlyMap<string, ActionRow> = new Map(
  (Object.keys(rows) as (keyof typeof actions)[]).map((key) => [actions[key], rows[key]]),
);
