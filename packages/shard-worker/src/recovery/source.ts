/**
 * The source's side of a peer recovery: chooses operations or files, brings the target up to date, lets it into the
 * in-sync set, and hands the primary role over when that is what the recovery is for. Source: `RecoverySourceHandler`.
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

export interface OutgoingRecovery {
  readonly copy: ShardCopy;
  readonly engine: EngineState;
  readonly request: StartRecoveryRequest;
  readonly header: {
    readonly indexUuid: string;
    readonly shard: number;
    readonly allocationId: string;
    readonly recoveryId: number;
  };
  readonly target: NodeId;
  readonly cancellation: Cancellation;
  throttledMs: number;
}

const OPERATIONS_BYTES = 512 * 1024;

export async function serveRecovery(
  copy: ShardCopy,
  request: StartRecoveryRequest,
): Promise<Uint8Array> {
  if (request.asksAboutHandoff) return aboutHandoff(copy, request);
  checkGate(copy, request);
  const id = request.targetAllocationId;
  copy.outgoing.get(id)?.("recovery with same target already registered");
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
    if (copy.outgoing.get(id) === cancel) copy.outgoing.delete(id);
    recovery.engine.historyLocks.delete(recovery);
  }
}

/** While a hand-over is under way there is no answer yet. */
async function aboutHandoff(copy: ShardCopy, request: StartRecoveryRequest): Promise<Uint8Array> {
  const release = await copy.permits.acquire();
  release();
  const isMoved = copy.routing.relocationId === request.targetAllocationId;
  if (copy.tracker.mode === "relocated" && isMoved)
    return StartRecoveryResponse.encode({}).finish();
  throw new OperationError(delayRecovery);
}

/** The target must be in the routing table that this node has applied. */
function checkGate(copy: ShardCopy, request: StartRecoveryRequest): void {
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
 * INV-REPL-10: the next primary knows nothing of a resync. A copy that this one has not reached would keep its gap, and be in-sync with
 * it. The target asks again.
 */
function checkResynced({ tracker }: ShardCopy): void {
  if (tracker.awaitingResync.size > 0) throw new OperationError(resyncUnderWay);
}

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
    // Only for a comparison: the history is read for it.
    sourceTerm: targetTerm === undefined ? undefined : termOf(engine, request.startingSeqNo - 1),
  });
  let from = request.startingSeqNo;
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
  await startTracking(recovery);
  const to = engine.tracker.maxSeqNo;
  const { count, localCheckpoint } = await sendOperations(recovery, from, to);
  await letIn(recovery, localCheckpoint);
  await finalize(recovery, from - 1);
  if (request.isPrimaryRelocation) await handOff(recovery);
  return StartRecoveryResponse.encode({
    wasOperationBased: plan === "operations",
    phase1Ms: Math.round(phase1Ms),
    phase2Ms: Math.round(clock.monotonicMs() - startedMs - phase1Ms),
    operations: count,
  }).finish();
}

/** Phase 1. Returns from where on operations are needed. */
async function copyFiles(recovery: OutgoingRecovery): Promise<number> {
  const { copy, engine, request, header } = recovery;
  await changeLeases(copy, () => dropLease(copy, request.targetNodeId));
  const commit = await commitToSend(copy, engine);
  const from = commit.localCheckpoint + 1;
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
    // Files that arrived damaged may be damaged here. The next attempt then finds them whole.
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

/** One that holds nothing a later primary could contradict. */
export async function commitToSend(copy: ShardCopy, engine: EngineState): Promise<Commit> {
  const { globalCheckpoint } = copy.tracker;
  const found = safeCommit(engine.commits, globalCheckpoint);
  if (found !== undefined) return found;
  await flush(engine, { force: true, waitIfOngoing: true });
  const commit = safeCommit(engine.commits, globalCheckpoint);
  if (commit === undefined) throw new OperationError(delayRecovery);
  return commit;
}

/** While a recovery reads its files, a commit stays. */
export function pinCommit(engine: EngineState, { generation }: Commit, by: number): void {
  const count = (engine.pinnedCommits.get(generation) ?? 0) + by;
  if (count > 0) engine.pinnedCommits.set(generation, count);
  else engine.pinnedCommits.delete(generation);
}

function dropLease(copy: ShardCopy, nodeId: string): void {
  setLeases(copy, removeLease(copy.leases, copy.primaryTerm, peerLeaseId(nodeId)));
}

/** The primary's own lease retains what the target needs; without one the lease begins where the files end. */
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

async function changeLeases(copy: ShardCopy, change: () => void): Promise<void> {
  const before = copy.leases;
  change();
  if (copy.leases !== before) await syncLeases(copy);
}

/** Under a permit, so that no hand-over happens at the same time; before the end of the history is sampled. */
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

/** Phase 2. */
async function sendOperations(
  recovery: OutgoingRecovery,
  from: number,
  to: number,
): Promise<{ readonly count: number; readonly localCheckpoint: number }> {
  const { copy, engine, header } = recovery;
  // A primary that takes its operations from another cluster may have gaps; what fills them comes by replication.
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
  // It would wait for what nobody sends, and the global checkpoint with it.
  if (localCheckpoint < complete) throw new OperationError(missingHistory(from, complete));
  return { count: history.count, localCheckpoint };
}

/** Ends when the target is in-sync: it may have to catch up with operations that are on their way. */
async function letIn(recovery: OutgoingRecovery, localCheckpoint: number): Promise<void> {
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
    const { tracker } = copy;
    copy.tracker = withdrawInSync(tracker, id);
    if (copy.tracker !== tracker) copy.onGlobalCheckpoint();
  }
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

async function finalize(recovery: OutgoingRecovery, trimAboveSeqNo: number): Promise<void> {
  const { header, copy } = recovery;
  const payload = FinalizeRecoveryRequest.encode({
    header,
    globalCheckpoint: copy.tracker.globalCheckpoint,
    trimAboveSeqNo,
  }).finish();
  await sendStep(recovery, actions.finalizeRecovery, payload);
}

/** No operation runs while the role changes hands; if the target does not take it, this copy goes on. */
async function handOff(recovery: OutgoingRecovery): Promise<void> {
  const { copy, header } = recovery;
  await blockCopy(copy, async () => {
    if (copy.tracker.mode !== "primary") throw new OperationError(delayRecovery);
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
  // The new primary lets the others in: of writes from now on it alone knows who has them.
  for (const [id, cancel] of [...copy.outgoing]) {
    if (copy.tracker.copies.get(id)?.inSync !== true) cancel("primary was relocated");
  }
  wakeWaiters(copy);
}
