/**
 * The target's side of a peer recovery: what is left on the own disk is used as far as it is safe, the primary is asked
 * to bring the rest, and asked again when the network or its cluster state was in the way. Source:
 * `PeerRecoveryTargetService`.
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

/** A recovery under way on its target. */
export interface IncomingRecovery {
  readonly id: number;
  readonly copy: ShardCopy;
  readonly cancellation: CancellationSource;
  readonly files: IncomingFiles;
  /** Opened from the own disk, until it is clear that it can be used. */
  local: EngineState | undefined;
  /** The source asks again when the answer was lost: these steps are done once. */
  cleaning: Promise<Uint8Array> | undefined;
  preparing: Promise<Uint8Array> | undefined;
  /** Messages of the source so far. */
  steps: number;
  /** Commits on the disk have what lies beyond the safe part: a new one has to take their place. */
  isCommitDue: boolean;
}

interface Source {
  readonly nodeId: NodeId;
  readonly allocationId: string;
}

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

/** A message may get lost although both nodes are well and connected. Source: `RecoveriesCollection.RecoveryMonitor`. */
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

/** The primary; for a copy that moves as primary, the copy it moves from. */
function findSource(copy: ShardCopy): Source | undefined {
  const { state } = copy.worker;
  const primary = state === undefined ? undefined : activePrimary(state, copy.index, copy.shard);
  if (primary?.nodeId === undefined || primary.allocationId === undefined) return undefined;
  if (primary.nodeId === copy.worker.nodeId) return undefined;
  return { nodeId: primary.nodeId, allocationId: primary.allocationId };
}

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
  await saveShardState(copy);
  await worker.endpoint.request(source.nodeId, actions.startRecovery, payload, {
    shard: copy.key,
    channel: "recovery",
    cancellation,
  });
}

/** This copy took the primary role, and does not know whether the source has heard of it. */
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

interface LocalStart {
  readonly startingSeqNo: number;
  /** Primary term of the operation before it; 0 when it is no longer there. */
  readonly lastTerm: number;
  readonly historyUuid: string;
  readonly files: readonly {
    readonly name: string;
    readonly sizeBytes: number;
    readonly checksum: number;
  }[];
}

const NOTHING: LocalStart = {
  startingSeqNo: UNASSIGNED_SEQ_NO,
  lastTerm: 0,
  historyUuid: "",
  files: [],
};

/** Opens what an earlier copy left here, up to the last global checkpoint it knew. Damaged files count as none. */
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
    const tell = (damage: string): void => copy.worker.log("warn", `${shardName(copy)} ${damage}`);
    opened.damage.forEach(tell);
    // The primary tells them again with its operations: until then no merge may drop what they retain.
    copy.leases = newestLeases(disk, copy.paths.state, newest.leases, tell);
    copy.recovery.operationsRecovered = replay(opened.engine, opened.toReplay, parserOf(copy));
    opened.engine.held = opened.held;
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

/** The newest mark of the translog. */
function knownGlobalCheckpoint(copy: ShardCopy, uuid: string): number {
  const { disk } = copy.worker;
  return listGenerations(disk, copy.paths.translog).reduce(
    (max, generation) =>
      Math.max(max, readMark(disk, copy.paths.translog, generation, uuid).globalCheckpoint),
    UNASSIGNED_SEQ_NO,
  );
}

function removeLocal(copy: ShardCopy): LocalStart {
  const { disk } = copy.worker;
  disk.remove(copy.paths.index);
  disk.remove(copy.paths.translog);
  disk.remove(copy.paths.state);
  return NOTHING;
}

/** Before another attempt: what this one opened is closed, its pieces of files go. */
export function discard(copy: ShardCopy): void {
  const { incoming } = copy;
  // What the source still sends for this attempt is refused from now on.
  copy.incoming = undefined;
  incoming?.files.discard();
  for (const engine of [incoming?.local, copy.engine])
    if (engine !== undefined) closeEngine(engine);
  copy.engine = undefined;
}

async function pause(copy: ShardCopy, cancellation: CancellationSource, ms: number): Promise<void> {
  await delay(copy.worker.clock, ms);
  if (cancellation.isCancelled || copy.state === "CLOSED") {
    throw new OperationError(cancelled(cancellation.reason || "shard closed"));
  }
}
