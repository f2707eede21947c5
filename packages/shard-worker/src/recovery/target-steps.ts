/** The messages of a source, each one step of the recovery it drives on this copy. */
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
import { releaseHeld } from "../engine/held.ts";
import { openRecoveredEngine } from "../engine/open.ts";
import { refresh } from "../engine/refresh.ts";
import { decodeCommit, listCommits, removeUnneeded, writeCommit } from "../store/commit.ts";
import { keepLeases, takeLeases } from "../write/lease-sync.ts";
import { mappingNewerThan } from "../write/mapping-update.ts";
import { contextOf, leasesOf } from "../write/wire-leases.ts";
import { applyRecords } from "../write/apply.ts";
import { noteFiles } from "./progress.ts";
import { enterStage } from "./stages.ts";
import type { IncomingRecovery } from "./target.ts";

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

export async function takeFileChunk(
  copy: ShardCopy,
  request: FileChunkRequest,
): Promise<Uint8Array> {
  const incoming = incomingOf(copy, request.header);
  incoming.files.add(request.name, request.offset, request.content);
  copy.recovery.sourceThrottleMs = request.sourceThrottleMs;
  return answer(copy);
}

export function takeCleanFiles(copy: ShardCopy, request: CleanFilesRequest): Promise<Uint8Array> {
  const incoming = incomingOf(copy, request.header);
  incoming.cleaning ??= cleanFiles(incoming, request);
  return incoming.cleaning;
}

/** The commit belongs to this copy from now on, with a translog of its own. */
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

export function takePrepare(
  copy: ShardCopy,
  request: PrepareOperationsRequest,
): Promise<Uint8Array> {
  const incoming = incomingOf(copy, request.header);
  incoming.preparing ??= prepareOperations(incoming, request);
  return incoming.preparing;
}

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
  if (incoming.isCommitDue) await flush(local, { force: true, waitIfOngoing: true });
  incomingOf(copy, request.header);
  copy.engine = local;
  incoming.local = undefined;
  return answer(copy);
}

export async function takeOperations(
  copy: ShardCopy,
  request: RecoverOperationsRequest,
): Promise<Uint8Array> {
  incomingOf(copy, request.header);
  await mappingNewerThan(copy, request.mappingVersion - 1);
  incomingOf(copy, request.header);
  const engine = engineOf(copy);
  copy.primaryTerm = Math.max(copy.primaryTerm, request.primaryTerm);
  engine.primaryTerm = copy.primaryTerm;
  engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, request.maxSeqNoOfUpdates);
  engine.maxUnsafeAutoIdMs = Math.max(engine.maxUnsafeAutoIdMs, request.maxUnsafeAutoIdMs);
  takeLeases(copy, leasesOf(request.leases));
  copy.recovery.operationsRecovered += applyRecords(copy, engine, request.operations);
  copy.recovery.operationsTotal = Math.max(
    copy.recovery.operationsTotal,
    copy.recovery.operationsRecovered,
  );
  await guardedAsync(engine, () => engine.translog.sync());
  return answer(copy);
}

export async function takeFinalize(
  copy: ShardCopy,
  request: FinalizeRecoveryRequest,
): Promise<Uint8Array> {
  incomingOf(copy, request.header);
  const engine = engineOf(copy);
  enterStage(copy, "FINALIZE");
  copy.tracker = learnGlobalCheckpoint(copy.tracker, request.globalCheckpoint);
  await releaseHeld(engine, request.trimAboveSeqNo);
  guarded(engine, () => refresh(engine, "external"));
  await guardedAsync(engine, () => engine.translog.syncCheckpoint());
  await keepLeases(copy);
  return answer(copy);
}

/** From here on this copy is the primary, although the cluster state does not say so yet. */
export async function takeHandoff(copy: ShardCopy, request: HandoffRequest): Promise<Uint8Array> {
  incomingOf(copy, request.header);
  const engine = engineOf(copy);
  await blockCopy(copy, async () => {
    if (copy.tracker.mode !== "replica") return;
    copy.primaryTerm = request.primaryTerm;
    engine.primaryTerm = request.primaryTerm;
    engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, engine.tracker.maxSeqNo);
    const context = contextOf(request.context);
    takeLeases(copy, leasesOf(request.leases));
    copy.tracker = activateWithContext(copy.tracker, context);
    copy.tracker = reportCheckpoint(copy.tracker, copy.allocationId, persistedCheckpoint(copy));
  });
  return answer(copy);
}

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
