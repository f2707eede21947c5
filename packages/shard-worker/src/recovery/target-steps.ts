/**
 * The steps of a peer recovery as its target carries them out (`RecoveryTarget`), each for one message of the source.
 * Every answer carries the persisted local checkpoint.
 *
 * A step is checked against the attempt under way when it begins and again after each await (`incomingOf`): an
 * attempt that was replaced or cancelled writes nothing more, because another copy may own the folder.
 */
import { blockCopy } from "../copy/block.ts";
import {
  RecoveryStepResponse,
  type CleanFilesRequest,
  type FileChunkRequest,
  type FilesInfoRequest,
  type FinalizeRecoveryRequest,
  type HandoffRequest,
  type PrepareOperationsRequest,
  type RecoverOperationsRequest,
  type RecoveryHeader,
} from "@orrery/protocol";
import {
  activateWithContext,
  createReplicationTracker,
  learnGlobalCheckpoint,
  reportCheckpoint,
} from "@orrery/replication";
import { greatest, newUuid, OperationError } from "@orrery/stdx";
import { engineOptions } from "../copy/engine-options.ts";
import { engineOf, illegalState, persistedCheckpoint, type ShardCopy } from "../copy/shard-copy.ts";
import { closeEngine, engineProblem, guarded, guardedAsync } from "../engine/failure.ts";
import { flush } from "../engine/flush.ts";
import { dropRolledBack } from "../engine/rolled-back.ts";
import { openRecoveredEngine } from "../engine/open.ts";
import { refresh } from "../engine/refresh.ts";
import { decodeCommit, listCommits, removeUnneeded, writeCommit } from "../store/commit.ts";
import { persistLeases, adoptLeases } from "../write/lease-sync.ts";
import { mappingNewerThan } from "../write/mapping-update.ts";
import { contextOf, leasesOf } from "../write/wire-leases.ts";
import { applyRecords } from "../write/apply.ts";
import { noteFiles } from "./progress.ts";
import { enterStage } from "./stages.ts";
import type { IncomingRecovery } from "./target.ts";

/**
 * Begins a file-based recovery: closes the engine on the target's own files, and stores the list of files to receive in
 * place of an earlier list.
 */
export async function takeFilesInfo(
  copy: ShardCopy,
  request: FilesInfoRequest,
): Promise<Uint8Array> {
  const incoming = incomingOf(copy, request.header);
  if (incoming.local !== undefined) closeEngine(incoming.local);
  incoming.local = undefined;
  incoming.files.expect(request.toSend);
  noteFiles(copy.recovery, request.existing, true);
  noteFiles(copy.recovery, request.toSend, false);
  copy.recovery.operationsTotal = request.totalOperations;
  copy.recovery.operationsTotalOnStart = request.totalOperations;
  return answer(copy);
}

/** Receives one chunk of a file. Chunks may arrive in any order, and again if an answer was lost. */
export async function takeFileChunk(
  copy: ShardCopy,
  request: FileChunkRequest,
): Promise<Uint8Array> {
  const incoming = incomingOf(copy, request.header);
  incoming.files.add(request.name, request.offset, request.content);
  copy.recovery.sourceThrottleMs = request.sourceThrottleMs;
  return answer(copy);
}

/**
 * Verifies the received files and commits them. A resent message gets the result of the running step: a second run
 * would not find the files under their temporary names.
 */
export function takeCleanFiles(copy: ShardCopy, request: CleanFilesRequest): Promise<Uint8Array> {
  const incoming = incomingOf(copy, request.header);
  incoming.cleaning ??= cleanFiles(incoming, request);
  return incoming.cleaning;
}

/**
 * Makes the received commit this copy's own, with an empty translog of its own.
 *
 * 1. Verify all files, sync them, give them their names.
 * 2. Number the commit above every commit in the folder, the source's number included.
 * 3. Take over the global checkpoint and the leases, then open an engine on the files.
 * 4. Sync the new translog before the commit that names it: a commit without its translog cannot be opened.
 * 5. Write the commit, then remove every file that it does not need.
 */
async function cleanFiles(
  incoming: IncomingRecovery,
  request: CleanFilesRequest,
): Promise<Uint8Array> {
  const { copy } = incoming;
  const { disk } = copy.worker;
  try {
    await incoming.files.complete(() => copy.incoming !== incoming);
    incomingOf(copy, request.header);
    const sent = decodeCommit(request.commit, "recovered commit");
    const generation = Math.max(sent.generation, greatest(listCommits(disk, copy.paths.index))) + 1;
    const translogUuid = newUuid(copy.worker.random);
    const commit = { ...sent, generation, translogUuid, translogGeneration: 1 };
    copy.tracker = learnGlobalCheckpoint(
      createReplicationTracker(copy.allocationId, -1),
      request.globalCheckpoint,
    );
    copy.leases = sent.leases;
    const open = { primaryTerm: copy.primaryTerm, counters: copy.counters };
    const engine = openRecoveredEngine(engineOptions(copy), open, commit);
    incoming.local = engine;
    await engine.translog.sync();
    incomingOf(copy, request.header);
    await writeCommit(disk, copy.paths.index, commit, () => copy.incoming !== incoming);
    incomingOf(copy, request.header);
    removeUnneeded(disk, copy.paths.index, [commit]);
  } catch (error) {
    throw new OperationError(engineProblem(error));
  }
  return answer(copy);
}

/** Opens the copy for operations. A resent message gets the result of the running step. */
export function takePrepare(
  copy: ShardCopy,
  request: PrepareOperationsRequest,
): Promise<Uint8Array> {
  const incoming = incomingOf(copy, request.header);
  incoming.preparing ??= prepareOperations(incoming, request);
  return incoming.preparing;
}

/** The engine, which was private to the recovery, becomes the copy's: replication finds it from now on. */
async function prepareOperations(
  incoming: IncomingRecovery,
  request: PrepareOperationsRequest,
): Promise<Uint8Array> {
  const { copy, local } = incoming;
  if (local === undefined) throw new OperationError(illegalState(copy));
  enterStage(copy, "VERIFY_INDEX");
  enterStage(copy, "TRANSLOG");
  copy.recovery.operationsTotal = request.totalOperations + copy.recovery.operationsRecovered;
  if (copy.recovery.operationsTotalOnStart < 0) {
    copy.recovery.operationsTotalOnStart = copy.recovery.operationsTotal;
  }
  // Commits above the safe one hold operations that were not replayed; a restart must not open them.
  if (incoming.isCommitDue) await flush(local, { force: true, waitIfOngoing: true });
  incomingOf(copy, request.header);
  copy.engine = local;
  incoming.local = undefined;
  return answer(copy);
}

/**
 * Applies a batch of operations and syncs it. The local checkpoint in the answer is persisted: the source marks this
 * copy in-sync by it.
 */
export async function takeOperations(
  copy: ShardCopy,
  request: RecoverOperationsRequest,
): Promise<Uint8Array> {
  incomingOf(copy, request.header);
  // Operations may use fields of a mapping that this node has not applied.
  await mappingNewerThan(copy, request.mappingVersion - 1);
  incomingOf(copy, request.header);
  const engine = engineOf(copy);
  // The source's primary term may be newer than that of the state which this node has applied.
  copy.primaryTerm = Math.max(copy.primaryTerm, request.primaryTerm);
  engine.primaryTerm = copy.primaryTerm;
  // Before the operations: it decides which of them may be appended without a look-up.
  engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, request.maxSeqNoOfUpdates);
  engine.maxUnsafeAutoIdMs = Math.max(engine.maxUnsafeAutoIdMs, request.maxUnsafeAutoIdMs);
  adoptLeases(copy, leasesOf(request.leases));
  copy.recovery.operationsRecovered += applyRecords(copy, engine, request.operations);
  copy.recovery.operationsTotal = Math.max(
    copy.recovery.operationsTotal,
    copy.recovery.operationsRecovered,
  );
  await guardedAsync(engine, () => engine.translog.sync());
  return answer(copy);
}

/**
 * Ends the recovery of a copy that is in-sync by now.
 *
 * 1. Learn the global checkpoint.
 * 2. Drop operations of an older term above `trimAboveSeqNo`: the source has sent their replacements.
 * 3. Refresh, so that searches see what was acknowledged before (INV-REPL-11).
 * 4. Persist checkpoint and leases: the next recovery of this copy may start from them.
 */
export async function takeFinalize(
  copy: ShardCopy,
  request: FinalizeRecoveryRequest,
): Promise<Uint8Array> {
  incomingOf(copy, request.header);
  const engine = engineOf(copy);
  enterStage(copy, "FINALIZE");
  copy.tracker = learnGlobalCheckpoint(copy.tracker, request.globalCheckpoint);
  await dropRolledBack(engine, request.trimAboveSeqNo);
  guarded(engine, () => refresh(engine, "external"));
  await guardedAsync(engine, () => engine.translog.syncCheckpoint());
  await persistLeases(copy);
  return answer(copy);
}

/**
 * Receives the primary role: this copy acts as primary from here on, although the cluster state does not say so yet.
 * A resent message finds the mode changed, and has no effect.
 */
export async function takeHandoff(copy: ShardCopy, request: HandoffRequest): Promise<Uint8Array> {
  incomingOf(copy, request.header);
  const engine = engineOf(copy);
  await blockCopy(copy, async () => {
    if (copy.tracker.mode !== "replica") return;
    copy.primaryTerm = request.primaryTerm;
    engine.primaryTerm = request.primaryTerm;
    // Replicas append without a look-up above this number, which the primary sends; any operation up to here may have
    // been an update.
    engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, engine.tracker.maxSeqNo);
    const context = contextOf(request.context);
    adoptLeases(copy, leasesOf(request.leases));
    copy.tracker = activateWithContext(copy.tracker, context);
    // The context has the checkpoint that this copy reported last.
    copy.tracker = reportCheckpoint(copy.tracker, copy.allocationId, persistedCheckpoint(copy));
  });
  return answer(copy);
}

/**
 * The attempt that the header names; counts the step for the activity timeout.
 * @throws OperationError `index_shard_closed_exception` when that attempt is not under way.
 */
function incomingOf(copy: ShardCopy, header: RecoveryHeader | null): IncomingRecovery {
  const { incoming } = copy;
  const isMeant =
    header !== null &&
    incoming?.id === header.recoveryId &&
    copy.allocationId === header.allocationId &&
    !incoming.cancellation.isCancelled;
  if (incoming !== undefined && isMeant) {
    incoming.steps += 1;
    return incoming;
  }
  throw new OperationError({
    type: "index_shard_closed_exception",
    reason: `recovery [${header?.recoveryId ?? 0}] is not under way on this copy`,
    status: 500,
  });
}

function answer(copy: ShardCopy): Uint8Array {
  const localCheckpoint = copy.engine?.tracker.persistedCheckpoint ?? -2;
  return RecoveryStepResponse.encode({ localCheckpoint }).finish();
}
