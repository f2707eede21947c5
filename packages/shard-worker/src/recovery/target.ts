/**
 * The target's side of a peer recovery (`PeerRecoveryTargetService`). The target opens the safe part of the files on
 * its disk, asks the primary to recover it, and serves the primary's steps (`target-steps.ts`) until the request is
 * answered.
 *
 * Network problems and delays (the primary's cluster state is older, its copy is not ready) are retried with a new
 * attempt; anything else fails the copy. Without a step for `indices.recovery.recovery_activity_timeout` the recovery
 * fails.
 */
import {
  createCancellation,
  delay,
  type CancellationSource,
  type CancelTimer,
} from "@orrery/ports";
import { activePrimary } from "@orrery/cluster-state";
import { actions, StartRecoveryRequest } from "@orrery/protocol";
import {
  createReplicationTracker,
  learnGlobalCheckpoint,
  noLeases,
  UNASSIGNED_SEQ_NO,
} from "@orrery/replication";
import { OperationError, wordsOf, type NodeId } from "@orrery/stdx";
import { engineOptions } from "../copy/engine-options.ts";
import { shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { safeCommit } from "../engine/commits.ts";
import { closeEngine, engineProblem, isCorruption } from "../engine/failure.ts";
import { termOf } from "../engine/history.ts";
import { openEngine, readCommits, replay } from "../engine/open.ts";
import type { EngineState } from "../engine/types.ts";
import { filesOf } from "../store/commit.ts";
import { newestLeases } from "../store/lease-file.ts";
import { readCorruptionMarker } from "../store/read-stores.ts";
import { listGenerations, readMark } from "../translog/generation.ts";
import { parserOf } from "../write/apply.ts";
import { IncomingFiles } from "./incoming-files.ts";
import { cancelled, isDelay, isNetworkProblem, noActivity } from "./problems.ts";
import { recoverySettings } from "./settings.ts";
import { enterStage, newProgress } from "./stages.ts";
import { saveShardState } from "./store-recovery.ts";

/**
 * One attempt of a recovery on its target. Steps of the source name it by `id`; those of an earlier attempt are
 * rejected.
 */
export interface IncomingRecovery {
  readonly id: number;
  readonly copy: ShardCopy;
  readonly cancellation: CancellationSource;
  readonly files: IncomingFiles;
  /**
   * The engine opened from the own disk or on the files received; it becomes the copy's engine at the step that
   * prepares operations.
   */
  local: EngineState | undefined;
  /** The source resends a step whose answer was lost: these two run once, and each resend gets the same answer. */
  cleaning: Promise<Uint8Array> | undefined;
  preparing: Promise<Uint8Array> | undefined;
  /** Steps received so far, for the activity timeout. */
  steps: number;
  /** Whether commits on the disk hold operations above the safe commit, so that a new commit must replace them. */
  isCommitDue: boolean;
}

/** The copy to recover from, as the applied routing table names it. */
interface Source {
  readonly nodeId: NodeId;
  readonly allocationId: string;
}

/**
 * Recovers the copy from the primary. Resolves when the copy is in-sync, or has become primary by a hand-over. After a
 * rejected attempt the recovery discards its files and engine, looks up the primary again, which may have changed, and
 * retries.
 * @throws OperationError The failure of the copy; `index_shard_closed_exception` when the recovery is cancelled.
 */
export async function recoverFromPeer(copy: ShardCopy): Promise<void> {
  const { worker } = copy;
  const cancellation = createCancellation();
  copy.cancelRecovery = (reason) => cancellation.cancel(reason);
  const activity = watchActivity(copy, cancellation);
  copy.counters.recoveriesAsTarget += 1;
  try {
    for (;;) {
      if (cancellation.isCancelled) throw new OperationError(cancelled(cancellation.reason));
      const source = findSource(copy);
      const settings = recoverySettings(worker.state);
      if (source === undefined) {
        await pause(copy, cancellation, settings.retryStateSyncMs);
        continue;
      }
      try {
        await attempt(copy, source, cancellation);
        return;
      } catch (error) {
        activity.check();
        if (!(error instanceof OperationError) || cancellation.isCancelled) throw error;
        const isNetwork = isNetworkProblem(error.problem);
        if (!isNetwork && !isDelay(error.problem)) throw error;
        const waitMs = isNetwork ? settings.retryNetworkMs : settings.retryStateSyncMs;
        // The hand-over reached this copy and its answer was lost. The source may have kept the role: a copy that
        // simply retried would have its files replaced, and one that simply went on could be a second primary.
        if (copy.tracker.mode === "primary") {
          copy.incoming = undefined;
          if (await wasHandedOver(copy, source, cancellation)) return;
        }
        discard(copy);
        await pause(copy, cancellation, waitMs);
      }
    }
  } finally {
    activity.end();
    copy.counters.recoveriesAsTarget -= 1;
    copy.cancelRecovery = undefined;
    copy.incoming = undefined;
  }
}

/**
 * Cancels the recovery when neither a step nor a new attempt has come for the timeout: a message may get lost
 * although both nodes are well and connected (`RecoveriesCollection.RecoveryMonitor`). `check` throws the time-out in
 * place of the cancellation that it caused.
 */
function watchActivity(
  copy: ShardCopy,
  cancellation: CancellationSource,
): { readonly check: () => void; readonly end: () => void } {
  const { clock } = copy.worker;
  let expiredMs: number | undefined;
  let end: CancelTimer;
  const look = (): void => {
    const { activityMs } = recoverySettings(copy.worker.state);
    const seen = copy.incoming;
    const steps = seen?.steps;
    end = clock.setTimer(activityMs, () => {
      if (copy.incoming !== seen || seen?.steps !== steps) return look();
      expiredMs = activityMs;
      cancellation.cancel(noActivity(activityMs).reason ?? "");
    });
  };
  look();
  return {
    check: () => {
      if (expiredMs !== undefined) throw new OperationError(noActivity(expiredMs));
    },
    end: () => end(),
  };
}

/**
 * The active primary on another node; for a primary that relocates, the copy that it moves from. `undefined` while
 * there is none.
 */
function findSource(copy: ShardCopy): Source | undefined {
  const { state } = copy.worker;
  const primary = state === undefined ? undefined : activePrimary(state, copy.index, copy.shard);
  if (primary?.nodeId === undefined || primary.allocationId === undefined) return undefined;
  if (primary.nodeId === copy.worker.nodeId) return undefined;
  return { nodeId: primary.nodeId, allocationId: primary.allocationId };
}

/**
 * One request to recover. The answer comes after all steps, so the request itself has no time-out (`watchActivity`).
 */
async function attempt(
  copy: ShardCopy,
  source: Source,
  cancellation: CancellationSource,
): Promise<void> {
  const { worker } = copy;
  worker.lastRecoveryId += 1;
  const id = worker.lastRecoveryId;
  copy.recovery = newProgress(copy, id, "PEER", source.nodeId);
  copy.state = "RECOVERING";
  const incoming: IncomingRecovery = {
    id,
    copy,
    cancellation,
    files: new IncomingFiles(copy),
    local: undefined,
    cleaning: undefined,
    preparing: undefined,
    steps: 0,
    isCommitDue: false,
  };
  copy.incoming = incoming;
  enterStage(copy, "INDEX");
  const start = openLocal(incoming);
  const payload = StartRecoveryRequest.encode({
    indexUuid: copy.indexUuid,
    shard: copy.shard,
    sourceAllocationId: source.allocationId,
    targetNodeId: worker.nodeId,
    targetAllocationId: copy.allocationId,
    recoveryId: id,
    startingSeqNo: start.startingSeqNo,
    lastTerm: start.lastTerm,
    historyUuid: start.historyUuid,
    files: start.files,
    isPrimaryRelocation: copy.routing.primary,
    stateVersion: worker.state?.version ?? 0,
  }).finish();
  // Before the files change: a cluster manager that looks for copies on disks must not find them under the allocation
  // id that wrote them.
  await saveShardState(copy);
  await worker.endpoint.request(source.nodeId, actions.startRecovery, payload, {
    shard: copy.key,
    channel: "recovery",
    cancellation,
  });
}

/**
 * Asks the source whether it has completed the hand-over, for as long as the network gives no answer. `false`: the
 * source has rejected the question, and is primary still, or gone.
 */
async function wasHandedOver(
  copy: ShardCopy,
  source: Source,
  cancellation: CancellationSource,
): Promise<boolean> {
  const payload = StartRecoveryRequest.encode({
    indexUuid: copy.indexUuid,
    shard: copy.shard,
    sourceAllocationId: source.allocationId,
    targetNodeId: copy.worker.nodeId,
    targetAllocationId: copy.allocationId,
    asksAboutHandoff: true,
  }).finish();
  for (;;) {
    try {
      await copy.worker.endpoint.request(source.nodeId, actions.startRecovery, payload, {
        shard: copy.key,
        channel: "recovery",
        cancellation,
      });
      return true;
    } catch (error) {
      if (!(error instanceof OperationError) || cancellation.isCancelled) throw error;
      if (!isNetworkProblem(error.problem)) return false;
    }
    await pause(copy, cancellation, recoverySettings(copy.worker.state).retryNetworkMs);
  }
}

/** The offer to the source: the start of the operations that this disk lacks, and the files that it has. */
interface LocalStart {
  readonly startingSeqNo: number;
  /** Primary term of the operation before `startingSeqNo`; 0 when the history no longer has it. */
  readonly lastTerm: number;
  readonly historyUuid: string;
  readonly files: readonly {
    readonly name: string;
    readonly sizeBytes: number;
    readonly checksum: number;
  }[];
}

/** The offer of an empty disk: all files are to be sent. */
const NOTHING: LocalStart = {
  startingSeqNo: UNASSIGNED_SEQ_NO,
  lastTerm: 0,
  historyUuid: "",
  files: [],
};

/**
 * Opens the files of an earlier copy up to the last global checkpoint that they know. Above it, operations may be
 * others than the primary's: they are not replayed, but stay in the translog as rolled back until the primary has
 * re-sent their replacements (INV-REPL-9).
 *
 * 1. Without a usable commit the disk is emptied, and all files are requested.
 * 2. Without a safe commit no history is offered, only files: equal ones need not be sent.
 * 3. Otherwise the safe commit is opened and the translog replayed up to the known global checkpoint; the
 *    operation-based recovery starts behind the local checkpoint that results.
 *
 * Damaged files are removed and count as none; other failures fail the copy.
 */
function openLocal(incoming: IncomingRecovery): LocalStart {
  const { copy } = incoming;
  const { disk } = copy.worker;
  copy.tracker = createReplicationTracker(copy.allocationId, -1);
  copy.leases = noLeases;
  try {
    if (readCorruptionMarker(disk, copy.paths.state) !== undefined) return removeLocal(copy);
    const all = readCommits(disk, copy.paths);
    const newest = all.at(-1);
    if (newest === undefined) return removeLocal(copy);
    const known = knownGlobalCheckpoint(copy, newest.translogUuid);
    const safe = safeCommit(all, known);
    if (safe === undefined || safe.maxSeqNo > known) {
      return { ...NOTHING, historyUuid: newest.historyUuid, files: filesOf(newest) };
    }
    const commits = all.filter(({ generation }) => generation <= safe.generation);
    const opened = openEngine(
      engineOptions(copy),
      {
        primaryTerm: copy.primaryTerm,
        counters: copy.counters,
        nextSegment: newest.nextSegment,
        upTo: known,
      },
      commits,
    );
    copy.tracker = learnGlobalCheckpoint(copy.tracker, known);
    const logDamage = (damage: string): void =>
      copy.worker.log("warn", `${shardName(copy)} ${damage}`);
    opened.damage.forEach(logDamage);
    // The source re-sends leases with its operations. Merges must not drop what the known leases retain before that.
    copy.leases = newestLeases(disk, copy.paths.state, newest.leases, logDamage);
    copy.recovery.operationsRecovered = replay(opened.engine, opened.toReplay, parserOf(copy));
    opened.engine.rolledBack = opened.rolledBack;
    incoming.local = opened.engine;
    incoming.isCommitDue = commits.length < all.length;
    const startingSeqNo = opened.engine.tracker.processedCheckpoint + 1;
    const replayed = opened.toReplay.find(({ seqNo }) => seqNo === startingSeqNo - 1);
    const lastTerm = replayed?.primaryTerm ?? termOf(opened.engine, startingSeqNo - 1) ?? 0;
    return { startingSeqNo, lastTerm, historyUuid: safe.historyUuid, files: filesOf(safe) };
  } catch (error) {
    if (!isCorruption(engineProblem(error))) throw error;
    copy.worker.log("warn", `${shardName(copy)} local files cannot be used: ${wordsOf(error)}`);
    return removeLocal(copy);
  }
}

/** The highest global checkpoint in the marks of the translog; -2 without a mark. */
function knownGlobalCheckpoint(copy: ShardCopy, uuid: string): number {
  const { disk } = copy.worker;
  return listGenerations(disk, copy.paths.translog).reduce(
    (max, generation) =>
      Math.max(max, readMark(disk, copy.paths.translog, generation, uuid).globalCheckpoint),
    UNASSIGNED_SEQ_NO,
  );
}

/** Empties the folders of the copy, so that neither a retry nor the next start meets the damaged files. */
function removeLocal(copy: ShardCopy): LocalStart {
  const { disk } = copy.worker;
  disk.remove(copy.paths.index);
  disk.remove(copy.paths.translog);
  disk.remove(copy.paths.state);
  return NOTHING;
}

/** Ends an attempt: closes its engine and removes its partial files. */
export function discard(copy: ShardCopy): void {
  const { incoming } = copy;
  // First: steps that the source still sends for this attempt are rejected from now on.
  copy.incoming = undefined;
  incoming?.files.discard();
  for (const engine of [incoming?.local, copy.engine])
    if (engine !== undefined) closeEngine(engine);
  copy.engine = undefined;
}

/** Waits before the next attempt; throws if the recovery was cancelled meanwhile. */
async function pause(copy: ShardCopy, cancellation: CancellationSource, ms: number): Promise<void> {
  await delay(copy.worker.clock, ms);
  if (cancellation.isCancelled || copy.state === "CLOSED") {
    throw new OperationError(cancelled(cancellation.reason || "shard closed"));
  }
}
