/** Transport actions by conversation. Names are the product's where it has one, since tasks and errors show them. */

export const actions = {
  // document.proto
  bulkShard: "indices:data/write/bulk[s]",
  getShard: "indices:data/read/get[s]",
  // search.proto
  canMatch: "indices:data/read/search[can_match]",
  statisticsPhase: "indices:data/read/search[phase/dfs]",
  queryPhase: "indices:data/read/search[phase/query]",
  fetchPhase: "indices:data/read/search[phase/fetch/id]",
  freeContext: "indices:data/read/search[free_context]",
  // control.proto, one shard copy
  refreshShard: "indices:admin/refresh[s]",
  flushShard: "indices:admin/flush[s]",
  forceMergeShard: "indices:admin/forcemerge[s]",
  clearCacheShard: "indices:admin/cache/clear[s]",
  shardStats: "indices:monitor/stats[s]",
  shardSegments: "indices:monitor/segments[s]",
  shardRecovery: "indices:monitor/recovery[s]",
  // control.proto, one node
  nodeInfo: "cluster:monitor/nodes/info[n]",
  nodeStats: "cluster:monitor/nodes/stats[n]",
  danglingIndices: "cluster:admin/indices/dangling/list[n]",
  clusterState: "cluster:monitor/state",
  // consensus.proto
  consensus: "internal:cluster/consensus",
  consensusSnapshot: "internal:cluster/consensus/snapshot",
  // membership.proto
  requestPeers: "internal:discovery/request_peers",
  managerElected: "internal:discovery/manager_elected",
  join: "internal:cluster/coordination/join",
  followerCheck: "internal:coordination/fault_detection/follower_check",
  leaderCheck: "internal:coordination/fault_detection/leader_check",
  // publication.proto
  submitTask: "internal:cluster/submit",
  managerTask: "internal:cluster/task",
  shardStarted: "internal:cluster/shard/started",
  shardFailed: "internal:cluster/shard/failure",
  storedShard: "internal:gateway/local/started_shards",
  stateApplied: "internal:cluster/state/applied",
  readIndex: "internal:cluster/read_index",
  reroute: "cluster:admin/reroute",
  explainAllocation: "cluster:monitor/allocation/explain",
  pendingTasks: "cluster:monitor/task",
  decommission: "cluster:admin/decommission/awareness/put",
  // replication.proto
  replicaOperations: "indices:data/write/bulk[s][r]",
  resyncReplica: "internal:index/seq_no/resync[r]",
  syncGlobalCheckpoint: "indices:admin/seq_no/global_checkpoint_sync[r]",
  syncRetentionLeases: "indices:admin/seq_no/retention_lease_sync[r]",
  // recovery.proto
  startRecovery: "internal:index/shard/recovery/start_recovery",
  recoverFilesInfo: "internal:index/shard/recovery/filesInfo",
  recoverFileChunk: "internal:index/shard/recovery/file_chunk",
  recoverCleanFiles: "internal:index/shard/recovery/clean_files",
  prepareOperations: "internal:index/shard/recovery/prepare_translog",
  recoverOperations: "internal:index/shard/recovery/translog_ops",
  finalizeRecovery: "internal:index/shard/recovery/finalize",
  handOffPrimary: "internal:index/shard/recovery/handoff_primary_context",
} as const;
