/** One shard copy's bookkeeping: checkpoints, in-sync set, fencing, retention leases, recovery decisions. */
export { fencePrimary, fenceReplica, type AddressedCopy, type CopyIdentity } from "./fencing.ts";
export { createLocalCheckpointTracker, type LocalCheckpointTracker } from "./local-checkpoint.ts";
export {
  chunksOf,
  diffFiles,
  moveTo,
  planRecovery,
  recoveryStages,
  throttleMs,
  type FileChunk,
  type FileDiff,
  type RecoveryOffer,
  type RecoveryStage,
  type StoredFile,
} from "./recovery.ts";
export { batchBySize, onNewTerm, type TermBump } from "./resync.ts";
export {
  addLease,
  cloneLease,
  expireLeases,
  findLease,
  minReasonableSeqNo,
  needsRenewal,
  noLeases,
  peerLeaseId,
  peerLeaseSource,
  removeLease,
  renewLease,
  retainedFrom,
  supersedes,
  type LeaseContext,
  type LeaseOutcome,
  type RetentionLease,
  type RetentionLeases,
} from "./retention-leases.ts";
export {
  minKnown,
  NO_OPS_PERFORMED,
  UNASSIGNED_PRIMARY_TERM,
  UNASSIGNED_SEQ_NO,
} from "./seq-no.ts";
export {
  abortHandoff,
  activatePrimary,
  activateWithContext,
  completeHandoff,
  createReplicationTracker,
  followState,
  learnGlobalCheckpoint,
  replicationGroup,
  reportCheckpoint,
  reportGlobalCheckpoint,
  requestInSync,
  startHandoff,
  track,
  withdrawInSync,
  type CopiesInState,
  type CopyState,
  type PrimaryContext,
  type ReplicationGroup,
  type ReplicationTracker,
} from "./tracker.ts";
