/**
 * What every action says of itself beside its name: who may send it, and the permission that a request needs for which it is sent. A
 * row for every action, so that one which is added says both.
 *
 * Nodes have proved the cluster's secret, clients of other clusters only what those are told to prove. A node that is about to join
 * is not told from a member: each node applies the state that says so at a time of its own.
 */
import { actions } from "./actions.ts";

/**
 * `self`: only the node itself, for its shard workers. `candidates`: nodes that may be elected cluster manager, because only an
 * elected one sends it. `nodes`: any node of the cluster. `nodes and clients`: those of other clusters, too.
 */
export type Sender = "self" | "candidates" | "nodes" | "nodes and clients";

/** What a client may be allowed: the product's name of an action. */
export type ClientPermission = `cluster:${string}` | `indices:${string}`;

/** `internal:…`: work of the nodes among themselves, which no client is allowed or refused. */
export type Permission = ClientPermission | `internal:${string}`;

export interface ActionRow {
  readonly sender: Sender;
  /** Of the client's request that it is a part of, as the product checks it there. */
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

/** By the name of the action. */
export const actionRows: ReadonlyMap<string, ActionRow> = new Map(
  (Object.keys(rows) as (keyof typeof actions)[]).map((key) => [actions[key], rows[key]]),
);
