/**
 * Who may send what: a row for every action, so that one which is added says it.
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

const rows: Readonly<Record<keyof typeof actions, Sender>> = {
  bulkShard: "nodes",
  getShard: "nodes",
  canMatch: "nodes",
  statisticsPhase: "nodes",
  queryPhase: "nodes",
  fetchPhase: "nodes",
  freeContext: "nodes",
  queryScroll: "nodes",
  fetchScroll: "nodes",
  createContext: "nodes",
  updateContext: "nodes",
  freeScrolls: "nodes",
  listContexts: "nodes",
  refreshShard: "nodes",
  flushShard: "nodes",
  verifyShardBeforeClose: "nodes",
  forceMergeShard: "nodes",
  clearCacheShard: "nodes",
  shardStats: "nodes",
  shardSegments: "nodes",
  shardRecovery: "nodes",
  snapshotShard: "candidates",
  abortSnapshotShard: "candidates",
  snapshotShardStatus: "nodes",
  nodeInfo: "nodes",
  nodeStats: "nodes",
  danglingIndices: "nodes",
  clusterState: "nodes and clients",
  consensus: "nodes",
  consensusSnapshot: "candidates",
  requestPeers: "nodes",
  managerElected: "candidates",
  join: "nodes",
  followerCheck: "candidates",
  leaderCheck: "nodes",
  submitTask: "self",
  managerTask: "nodes",
  shardStarted: "nodes",
  shardFailed: "nodes",
  storedShard: "nodes",
  stateApplied: "nodes",
  readIndex: "nodes",
  reroute: "nodes",
  explainAllocation: "nodes",
  pendingTasks: "nodes",
  decommission: "nodes",
  putRepository: "nodes",
  deleteRepository: "nodes",
  verifyRepository: "nodes",
  verifyRepositoryHere: "candidates",
  cleanUpRepository: "nodes",
  createSnapshot: "nodes",
  awaitSnapshot: "nodes",
  cloneSnapshot: "nodes",
  getSnapshots: "nodes",
  deleteSnapshots: "nodes",
  snapshotStatus: "nodes",
  restoreSnapshot: "nodes",
  awaitRestore: "nodes",
  replicaOperations: "nodes",
  refreshReplica: "nodes",
  flushReplica: "nodes",
  verifyReplicaBeforeClose: "nodes",
  resyncReplica: "nodes",
  syncGlobalCheckpoint: "nodes",
  syncRetentionLeases: "nodes",
  startRecovery: "nodes",
  recoverFilesInfo: "nodes",
  recoverFileChunk: "nodes",
  recoverCleanFiles: "nodes",
  prepareOperations: "nodes",
  recoverOperations: "nodes",
  finalizeRecovery: "nodes",
  handOffPrimary: "nodes",
};

/** By the name of the action. */
export const senders: ReadonlyMap<string, Sender> = new Map(
  (Object.keys(rows) as (keyof typeof actions)[]).map((key) => [actions[key], rows[key]]),
);
