/**
 * The source's side of a peer recovery (`RecoverySourceHandler`): the primary chooses operations or files, brings the
 * target up to date, marks it in-sync, and hands the primary role over when the recovery is a relocation of the
 * primary.
 *
 * The order of the steps is the contract. History is locked before the plan is carried out, the target has an engine
 * before it is tracked, it is tracked before the end of the history is sampled, and it is in-sync before it may
 * become primary. A target that leaves the routing table, a hand-over and the end of this copy cancel the recovery
 * between two steps.
 */
import { blockCopy } from "../copy/block.ts";
import { createCancellation, type Cancellation } from "@orrery/ports";
import {
  actions,
  CleanFilesRequest,
  FilesInfoRequest,
  FinalizeRecoveryRequest,
  HandoffRequest,
  PrepareOperationsRequest,
  RecoverOperationsRequest,
  RecoveryStepResponse,
  StartRecoveryResponse,
  type StartRecoveryRequest,
} from "@orrery/protocol";
import {
  abortHandoff,
  cloneLease,
  completeHandoff,
  diffFiles,
  findLease,
  NO_OPS_PERFORMED,
  peerLeaseId,
  planRecovery,
  removeLease,
  requestInSync,
  startHandoff,
  track,
  UNASSIGNED_SEQ_NO,
  withdrawInSync,
} from "@orrery/replication";
import { OperationError, problemOf, type NodeId } from "@orrery/stdx";
import { addPeerLease, setLeases } from "../copy/primary-mode.ts";
import {
  engineOf,
  routingOf,
  shardName,
  shardNotFound,
  wakeWaiters,
  type ShardCopy,
} from "../copy/shard-copy.ts";
import { safeCommit } from "../engine/commits.ts";
import { flush } from "../engine/flush.ts";
import { isCorruption } from "../engine/failure.ts";
import { historyFrom, openHistory, termOf } from "../engine/history.ts";
import { repairCommit } from "../engine/repair.ts";
import type { EngineState } from "../engine/types.ts";
import { encodeCommit, filesOf, type Commit } from "../store/commit.ts";
import { encodeOperations } from "../write/resync.ts";
import { syncLeases } from "../write/lease-sync.ts";
import { wireContext } from "../write/wire-leases.ts";
import { cancelled, delayRecovery, missingHistory, resyncUnderWay } from "./problems.ts";
import { sendFiles } from "./send-files.ts";
import { sendStep } from "./send-step.ts";

/** One attempt of one target, from its request until the answer. */
export interface OutgoingRecovery {
  readonly copy: ShardCopy;
  /** The engine at the beginning. An engine that is replaced meanwhile is closed, and the recovery fails with it. */
  readonly engine: EngineState;
  readonly request: StartRecoveryRequest;
  /** The address of every message to the target: this attempt on this copy, and no later one. */
  readonly header: {
    readonly indexUuid: string;
    readonly shard: number;
    readonly allocationId: string;
    readonly recoveryId: number;
  };
  readonly target: NodeId;
  readonly cancellation: Cancellation;
  /** Time that file chunks have waited for `indices.recovery.max_bytes_per_sec`, over all streams of chunks. */
  throttledMs: number;
}

/** Size of a batch of operations in phase 2: `indices.recovery.chunk_size` of OpenSearch, fixed here. */
const OPERATIONS_BYTES = 512 * 1024;

/**
 * Answers a target's request to recover; the answer comes when the target is in-sync, or the primary role is handed
 * over. A request that asks about a hand-over only learns whether the role was handed over.
 *
 * A second request of the same target replaces the first, whose requester has stopped waiting. The history lock is
 * released in every case: a lock that stays would keep merges from dropping operations for ever.
 * @throws OperationError A problem of `problems.ts` that the target classifies: delays and network problems let it
 *   retry.
 */
export async function serveRecovery(
  copy: ShardCopy,
  request: StartRecoveryRequest,
): Promise<Uint8Array> {
  if (request.asksAboutHandoff) return answerHandoffStatus(copy, request);
  checkTarget(copy, request);
  const id = request.targetAllocationId;
  copy.outgoing.get(id)?.("recovery with same target already registered");
  // The replaced attempt may wait in `markInSync`, where it notices its cancellation only when it is woken.
  wakeWaiters(copy);
  const cancellation = createCancellation();
  const cancel = (reason: string): void => cancellation.cancel(reason);
  copy.outgoing.set(id, cancel);
  copy.counters.recoveriesAsSource += 1;
  const recovery: OutgoingRecovery = {
    copy,
    engine: engineOf(copy),
    request,
    header: {
      indexUuid: request.indexUuid,
      shard: request.shard,
      allocationId: id,
      recoveryId: request.recoveryId,
    },
    target: request.targetNodeId as NodeId,
    cancellation,
    throttledMs: 0,
  };
  try {
    return await run(recovery);
  } catch (error) {
    if (cancellation.isCancelled) throw new OperationError(cancelled(cancellation.reason));
    throw error;
  } finally {
    copy.counters.recoveriesAsSource -= 1;
    // A later attempt of the same target may have taken the entry.
    if (copy.outgoing.get(id) === cancel) copy.outgoing.delete(id);
    recovery.engine.historyLocks.delete(recovery);
  }
}

/**
 * Answers a target that does not know whether its hand-over was completed here. A hand-over under way blocks all
 * permits, so a permit means that it has ended.
 */
async function answerHandoffStatus(
  copy: ShardCopy,
  request: StartRecoveryRequest,
): Promise<Uint8Array> {
  const release = await copy.permits.acquire();
  release();
  const isMoved = copy.routing.relocationId === request.targetAllocationId;
  if (copy.tracker.mode === "relocated" && isMoved)
    return StartRecoveryResponse.encode({}).finish();
  throw new OperationError(delayRecovery);
}

/**
 * Admits a target only if the routing table that this node has applied lists it as INITIALIZING on that node, and
 * this copy as its started primary. The states of the two nodes may differ by a version; the delay lets the target
 * retry.
 */
function checkTarget(copy: ShardCopy, request: StartRecoveryRequest): void {
  if (copy.allocationId !== request.sourceAllocationId)
    throw new OperationError(shardNotFound(copy));
  const target = routingOf(copy, request.targetAllocationId);
  const isListed = target?.nodeId === request.targetNodeId && target.state === "INITIALIZING";
  if (!isListed || copy.state !== "STARTED" || copy.tracker.mode !== "primary") {
    throw new OperationError(delayRecovery);
  }
  if (request.isPrimaryRelocation) checkResynced(copy);
}

/**
 * INV-REPL-10: the next primary knows nothing of this one's resync. A copy that the resync has not reached would keep
 * its gap, and be in-sync with it. The target retries.
 */
function checkResynced({ tracker }: ShardCopy): void {
  if (tracker.awaitingResync.size > 0) throw new OperationError(resyncUnderWay);
}

/**
 * The steps in their order:
 *
 * 1. Lock the history from the target's start on, so that no merge drops an operation while it is still to be sent.
 * 2. Phase 1, unless operations suffice: the files of a commit, after which operations are needed from behind its
 *    local checkpoint.
 * 3. Have the target open its engine. Operations that came before would meet a copy without an engine, and fail it.
 * 4. Track the target: it gets every new operation by replication.
 * 5. Sample the end of the history, and send operations up to there (phase 2).
 * 6. Mark the target in-sync, which waits until it has caught up with the global checkpoint.
 * 7. Finalize: the target learns the global checkpoint and drops operations that its disk has from an older term.
 * 8. Hand the role over, for a relocating primary.
 */
async function run(recovery: OutgoingRecovery): Promise<Uint8Array> {
  const { copy, engine, request } = recovery;
  const clock = copy.worker.clock;
  const startedMs = clock.monotonicMs();
  const targetTerm = request.lastTerm === 0 ? undefined : request.lastTerm;
  const plan = planRecovery({
    startingSeqNo: request.startingSeqNo,
    hasSameHistory: request.historyUuid === engine.historyUuid,
    sourceHistoryFrom: historyFrom(engine),
    leaseRetainsFrom: findLease(copy.leases, peerLeaseId(request.targetNodeId))?.retainingSeqNo,
    sourceMaxSeqNo: engine.tracker.maxSeqNo,
    targetTerm,
    // Read from the history, so only where there is a term to compare with.
    sourceTerm: targetTerm === undefined ? undefined : termOf(engine, request.startingSeqNo - 1),
  });
  let from = request.startingSeqNo;
  // Before the first await: merges run between the steps.
  engine.historyLocks.set(recovery, Math.max(0, from));
  if (plan === "files") from = await copyFiles(recovery);
  const phase1Ms = clock.monotonicMs() - startedMs;
  await sendStep(
    recovery,
    actions.prepareOperations,
    PrepareOperationsRequest.encode({
      header: recovery.header,
      totalOperations: Math.max(0, engine.tracker.maxSeqNo - from + 1),
    }).finish(),
  );
  // Before the sample below: an operation between the two would reach the target neither by replication nor by phase
  // 2.
  await startTracking(recovery);
  const to = engine.tracker.maxSeqNo;
  const { count, localCheckpoint } = await sendOperations(recovery, from, to);
  await markInSync(recovery, localCheckpoint);
  await finalize(recovery, from - 1);
  if (request.isPrimaryRelocation) await handOff(recovery);
  return StartRecoveryResponse.encode({
    wasOperationBased: plan === "operations",
    phase1Ms: Math.round(phase1Ms),
    phase2Ms: Math.round(clock.monotonicMs() - startedMs - phase1Ms),
    operations: count,
  }).finish();
}

/**
 * Phase 1: brings the files of a safe commit to the target. Returns the first sequence number that the target needs
 * as an operation.
 *
 * 1. Drop the target's peer lease: it retains history for files that are about to be replaced.
 * 2. Pin the commit; no flush removes its files until the target has them.
 * 3. Compare files by name, length and checksum, and send those that differ.
 * 4. Add a peer lease for the target before it makes the commit its own, so that its next recovery finds its history
 *    retained. The leases travel in the commit.
 * 5. Have the target verify, rename and commit the files.
 */
async function copyFiles(recovery: OutgoingRecovery): Promise<number> {
  const { copy, engine, request, header } = recovery;
  await changeLeases(copy, () => dropLease(copy, request.targetNodeId));
  const commit = await commitToSend(copy, engine);
  const from = commit.localCheckpoint + 1;
  // Operations are needed from behind the commit, wherever the target's own files end.
  engine.historyLocks.set(recovery, from);
  pinCommit(engine, commit, 1);
  try {
    const source = filesOf(commit);
    const { identical, toSend } = diffFiles(source, request.files);
    const info = FilesInfoRequest.encode({
      header,
      toSend,
      existing: identical,
      totalOperations: Math.max(0, engine.tracker.maxSeqNo - from + 1),
    }).finish();
    await sendStep(recovery, actions.recoverFilesInfo, info);
    await sendFiles(recovery, toSend);
    await changeLeases(copy, () => copyOwnLease(copy, request.targetNodeId, from));
    const clean = CleanFilesRequest.encode({
      header,
      commit: encodeCommit({ ...commit, leases: copy.leases }),
      globalCheckpoint: copy.tracker.globalCheckpoint,
    }).finish();
    await sendStep(recovery, actions.recoverCleanFiles, clean);
    return from;
  } catch (error) {
    // The target's checksum fails for damage on the way and for damage on this disk alike; files damaged here are
    // rewritten from memory, so that the next attempt finds them whole.
    if (error instanceof OperationError && isCorruption(error.problem)) {
      const count = await repairCommit(engine, commit);
      if (count > 0)
        copy.worker.log("warn", `${shardName(copy)} wrote [${count}] damaged files anew`);
    }
    throw error;
  } finally {
    pinCommit(engine, commit, -1);
  }
}

/**
 * The commit whose files a target gets: the newest without operations above the global checkpoint, else the oldest
 * (`safeCommit`). A later primary may replace operations above the checkpoint, and a target cannot roll back to a
 * point inside its files. An engine that has no commit is flushed.
 */
export async function commitToSend(copy: ShardCopy, engine: EngineState): Promise<Commit> {
  const { globalCheckpoint } = copy.tracker;
  const found = safeCommit(engine.commits, globalCheckpoint);
  if (found !== undefined) return found;
  await flush(engine, { force: true, waitIfOngoing: true });
  const commit = safeCommit(engine.commits, globalCheckpoint);
  if (commit === undefined) throw new OperationError(delayRecovery);
  return commit;
}

/** Changes the number of users of a commit by `by`, 1 or -1. A commit with users keeps its files (`keptCommits`). */
export function pinCommit(engine: EngineState, { generation }: Commit, by: number): void {
  const count = (engine.pinnedCommits.get(generation) ?? 0) + by;
  if (count > 0) engine.pinnedCommits.set(generation, count);
  else engine.pinnedCommits.delete(generation);
}

function dropLease(copy: ShardCopy, nodeId: string): void {
  setLeases(copy, removeLease(copy.leases, copy.primaryTerm, peerLeaseId(nodeId)));
}

/**
 * The target's peer lease, cloned from the primary's own: that one retains history from the persisted global
 * checkpoint on, and is known to be held. Without one the lease begins behind the files.
 */
function copyOwnLease(copy: ShardCopy, nodeId: string, from: number): void {
  const clone = {
    from: peerLeaseId(copy.worker.nodeId),
    to: peerLeaseId(nodeId),
    nowMs: copy.worker.clock.nowMs(),
  };
  const outcome = cloneLease(copy.leases, copy.primaryTerm, clone);
  if (outcome.kind === "changed") copy.leases = outcome.leases;
  else addPeerLease(copy, nodeId, from);
}

/** Changes the leases and waits until they are persisted here and have been sent to the replicas. */
async function changeLeases(copy: ShardCopy, change: () => void): Promise<void> {
  const before = copy.leases;
  change();
  if (copy.leases !== before) await syncLeases(copy);
}

/**
 * Tracks the target under a permit: a hand-over holds all permits, so that the tracker stays in primary mode
 * meanwhile.
 */
async function startTracking({ copy, request, cancellation }: OutgoingRecovery): Promise<void> {
  const release = await copy.permits.acquire();
  try {
    if (cancellation.isCancelled) throw new OperationError(cancelled(cancellation.reason));
    const tracker = track(copy.tracker, request.targetAllocationId);
    if (tracker === undefined) throw new OperationError(delayRecovery);
    copy.tracker = tracker;
  } finally {
    release();
  }
}

/**
 * Phase 2: sends operations of the range in batches, one after the other, each answered with the target's local
 * checkpoint. An empty range sends one empty batch, for the answer and the leases that it carries.
 */
async function sendOperations(
  recovery: OutgoingRecovery,
  from: number,
  to: number,
): Promise<{ readonly count: number; readonly localCheckpoint: number }> {
  const { copy, engine, header } = recovery;
  // Numbers above the processed checkpoint may be missing on a primary that follows another cluster; they arrive by
  // replication.
  const complete = Math.min(to, engine.tracker.processedCheckpoint);
  const range = { from: Math.max(0, from), to, maxBytes: OPERATIONS_BYTES };
  const history = openHistory(engine, range);
  let localCheckpoint = UNASSIGNED_SEQ_NO;
  try {
    for (let batch = history.next() ?? []; ;) {
      const payload = RecoverOperationsRequest.encode({
        header,
        operations: encodeOperations(batch),
        totalOperations: Math.max(0, to - from + 1),
        maxSeqNoOfUpdates: engine.maxSeqNoOfUpdates,
        maxUnsafeAutoIdMs: engine.maxUnsafeAutoIdMs,
        mappingVersion: copy.service.metadata.mappingVersion,
        leases: copy.leases,
        primaryTerm: copy.primaryTerm,
      }).finish();
      const answer = await sendStep(recovery, actions.recoverOperations, payload);
      localCheckpoint = RecoveryStepResponse.decode(answer).localCheckpoint;
      const next = history.next();
      if (next === undefined) break;
      batch = next;
    }
  } finally {
    history.close();
  }
  // A target with a hole below would wait for an operation that is never sent, and hold back the global checkpoint.
  if (localCheckpoint < complete) throw new OperationError(missingHistory(from, complete));
  return { count: history.count, localCheckpoint };
}

/**
 * Marks the target in-sync (`markAllocationIdAsInSync`) and waits until it has caught up with operations that are
 * under way. While it is pending the global checkpoint stands still, so the wait must end: by the target's progress,
 * or by a cancellation.
 */
async function markInSync(recovery: OutgoingRecovery, localCheckpoint: number): Promise<void> {
  const { copy, request, cancellation } = recovery;
  const id = request.targetAllocationId;
  const release = await copy.permits.acquire();
  try {
    const tracker = requestInSync(copy.tracker, id, Math.max(localCheckpoint, NO_OPS_PERFORMED));
    if (tracker === undefined) throw new OperationError(delayRecovery);
    copy.tracker = tracker;
  } finally {
    release();
  }
  try {
    while (copy.tracker.pendingInSync.has(id)) {
      if (cancellation.isCancelled) throw new OperationError(cancelled(cancellation.reason));
      await new Promise<void>((resolve) => {
        copy.inSyncWaiters.push(resolve);
      });
    }
  } finally {
    // A failed recovery must not leave the global checkpoint waiting for the target.
    const { tracker } = copy;
    copy.tracker = withdrawInSync(tracker, id);
    if (copy.tracker !== tracker) copy.onGlobalCheckpoint();
  }
  // A state that was applied meanwhile may have removed the target.
  const known = copy.tracker.copies.get(id);
  if (cancellation.isCancelled || known?.inSync !== true) {
    throw new OperationError(cancelled(`${shardName(copy)} the target left the replication group`));
  }
  copy.worker.trace({
    kind: "copy-let-in",
    nodeId: copy.worker.nodeId,
    index: copy.index,
    shard: copy.shard,
    allocationId: id,
    localCheckpoint: known.localCheckpoint,
    globalCheckpoint: copy.tracker.globalCheckpoint,
  });
  copy.onGlobalCheckpoint();
}

/**
 * Sends the global checkpoint, with which the target may serve reads, and the last number before the operations that
 * it was sent.
 */
async function finalize(recovery: OutgoingRecovery, trimAboveSeqNo: number): Promise<void> {
  const { header, copy } = recovery;
  const payload = FinalizeRecoveryRequest.encode({
    header,
    globalCheckpoint: copy.tracker.globalCheckpoint,
    trimAboveSeqNo,
  }).finish();
  await sendStep(recovery, actions.finalizeRecovery, payload);
}

/**
 * Hands the primary role over. All permits are blocked: no operation runs while it is open which copy is primary. If
 * the target rejects the role or does not answer, this copy stays primary; the target asks for the outcome
 * (`asksAboutHandoff`) before it acts as one.
 */
async function handOff(recovery: OutgoingRecovery): Promise<void> {
  const { copy, header } = recovery;
  await blockCopy(copy, async () => {
    if (copy.tracker.mode !== "primary") throw new OperationError(delayRecovery);
    // A promotion may have begun after the request was admitted.
    checkResynced(copy);
    const { tracker, context } = startHandoff(copy.tracker);
    copy.tracker = tracker;
    try {
      const payload = HandoffRequest.encode({
        header,
        context: wireContext(context),
        leases: copy.leases,
        primaryTerm: copy.primaryTerm,
      }).finish();
      await sendStep(recovery, actions.handOffPrimary, payload);
    } catch (error) {
      copy.tracker = abortHandoff(copy.tracker);
      throw new OperationError(problemOf(error));
    }
    copy.tracker = completeHandoff(copy.tracker);
  });
  // Recoveries of other targets end here: the new primary alone tracks copies from now on, so they retry there.
  for (const [id, cancel] of [...copy.outgoing]) {
    if (copy.tracker.copies.get(id)?.inSync !== true) cancel("primary was relocated");
  }
  wakeWaiters(copy);
}
