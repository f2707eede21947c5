/**
 * The life of a copy on this node: it is created for a row of the routing table, closed, or failed (`IndexShard`,
 * `IndicesClusterStateService`).
 */
import type { ShardRouting } from "@orrery/cluster-state";
import { createReplicationTracker, noLeases } from "@orrery/replication";
import { createKeyedValues, defined, type Problem } from "@orrery/stdx";
import { DiskError } from "@orrery/ports";
import type { WorkerContext } from "../context.ts";
import { createCounters } from "../engine/counters.ts";
import { closeEngine, isCorruption } from "../engine/failure.ts";
import { dropOldCommits } from "../engine/flush.ts";
import type { EngineState } from "../engine/types.ts";
import type { IndexService } from "../index-service.ts";
import { sendFailed } from "../manager.ts";
import { newProgress } from "../recovery/stages.ts";
import { shardPaths } from "../store/layout.ts";
import { markCorrupted } from "../store/read-stores.ts";
import { ignoreOperationError } from "../write/ignore.ts";
import { createPermits } from "./permits.ts";
import { noteOwnCheckpoint } from "./primary-mode.ts";
import { shardName, wakeWaiters, type LocalState, type ShardCopy } from "./shard-copy.ts";
import { disarmAll } from "./timers.ts";
import { scheduleCheckpointSync } from "./upkeep.ts";
import { createAttempts } from "../write/attempts.ts";

/**
 * Creates a copy without an engine and registers it with the worker; its recovery opens the engine. `routing` is that of
 * an assigned copy: without an allocation id an assertion fails.
 */
export function createCopy(
  worker: WorkerContext,
  service: IndexService,
  routing: ShardRouting,
): ShardCopy {
  const { metadata } = service;
  const allocationId = defined(routing.allocationId, "allocation id of an assigned copy");
  const key = `${metadata.uuid}/${routing.shard}`;
  const { recoverySource } = routing;
  const copy: ShardCopy = {
    worker,
    key,
    index: metadata.name,
    indexUuid: metadata.uuid,
    shard: routing.shard,
    allocationId,
    paths: shardPaths(metadata.uuid, routing.shard),
    permits: createPermits(),
    attempts: createAttempts(),
    counters: createCounters(),
    service,
    state: "CREATED",
    routing,
    followed: undefined,
    primaryTerm: metadata.primaryTerms[routing.shard] ?? 1,
    engine: undefined,
    opening: undefined,
    // The value -2: no global checkpoint is known before the recovery has read one.
    tracker: createReplicationTracker(allocationId, -2),
    leases: noLeases,
    persistedLeases: noLeases,
    areLeasesUnsynced: false,
    recovery: newProgress({ worker }, 0, recoverySource?.type ?? "PEER"),
    snapshotSource: recoverySource?.type === "SNAPSHOT" ? recoverySource : undefined,
    cancelRecovery: undefined,
    incoming: undefined,
    outgoing: new Map(),
    pendingReplicas: new Map(),
    inSyncWaiters: [],
    closedBecause: undefined,
    lastSearchMs: worker.clock.monotonicMs(),
    isRefreshPending: false,
    timers: new Map(),
    isSendingStarted: false,
    kept: createKeyedValues(),
    blocks: 0,
    fail: (message, problem) => failCopy(copy, message, problem),
    onPersisted: () => noteOwnCheckpoint(copy),
    onGlobalCheckpoint: () => noteGlobalCheckpoint(copy),
  };
  worker.copies.set(key, copy);
  return copy;
}

/** Sets the copy's state and traces it. */
export function setState(copy: ShardCopy, state: LocalState, reason?: string): void {
  copy.state = state;
  const { worker, index, shard, allocationId } = copy;
  worker.trace({
    kind: "shard-state-changed",
    nodeId: worker.nodeId,
    index,
    shard,
    allocationId,
    state,
    ...(reason === undefined ? {} : { reason }),
  });
}

/**
 * Closes the copy; it writes nothing afterwards. The order matters: the state is CLOSED first, so that no timer,
 * recovery or flush that continues begins anything; requests and waiters are rejected before the engines close, with
 * the reason of the close and not of a closed engine.
 */
export function closeCopy(copy: ShardCopy, reason: string): void {
  if (copy.state === "CLOSED") return;
  setState(copy, "CLOSED", reason);
  copy.closedBecause = reason;
  disarmAll(copy);
  copy.cancelRecovery?.(reason);
  for (const cancel of [...copy.outgoing.values()]) cancel(reason);
  for (const set of copy.pendingReplicas.values())
    for (const { cancellation } of [...set]) cancellation.cancel(reason);
  wakeWaiters(copy);
  for (const engine of [copy.engine, copy.opening, copy.incoming?.local]) {
    if (engine !== undefined) closeEngine(engine);
  }
  // Scrolls and points in time end with their copy.
  copy.worker.contexts.closeAll(copy);
  if (copy.worker.copies.get(copy.key) === copy) copy.worker.copies.delete(copy.key);
}

/**
 * Closes the copy and reports it to the cluster manager. Corruption is marked on the disk, so that neither this node
 * nor the allocation of another primary starts from these files.
 */
function failCopy(copy: ShardCopy, message: string, problem: Problem | undefined): void {
  if (copy.state === "CLOSED") return;
  const { worker, index, indexUuid, shard, allocationId } = copy;
  const details =
    problem === undefined ? "" : `: ${problem.type}: ${problem.internal ?? problem.reason}`;
  worker.log("warn", `${shardName(copy)} ${message}${details}`);
  closeCopy(copy, message);
  if (problem !== undefined && isCorruption(problem)) rememberCorruption(copy, problem);
  const failure = {
    index,
    indexUuid,
    shard,
    allocationId,
    primaryTerm: 0,
    markAsStale: false,
    message,
    problem,
  };
  worker.failed.set(allocationId, { failure, isSending: false });
  reportFailed(worker, allocationId);
}

/**
 * Reports a failed copy to the elected cluster manager, one report at a time. `reconcile` calls it again after each
 * change of the manager, until the routing table no longer has the copy.
 */
export function reportFailed(worker: WorkerContext, allocationId: string): void {
  const entry = worker.failed.get(allocationId);
  if (entry === undefined || entry.isSending) return;
  entry.isSending = true;
  void sendFailed(worker, entry.failure, () => !worker.failed.has(allocationId))
    .catch(ignoreOperationError)
    .finally(() => {
      entry.isSending = false;
    });
}

function rememberCorruption(copy: ShardCopy, problem: Problem): void {
  try {
    markCorrupted(copy.worker.disk, copy.paths.state, problem);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    copy.worker.log("warn", `${shardName(copy)} could not mark the store: ${error.message}`);
  }
}

/**
 * `false`: a fault of the disk has failed the engine, and its copy with it. The caller reports a checkpoint and must
 * not fail for it.
 */
function areOldCommitsDropped(engine: EngineState): boolean {
  try {
    dropOldCommits(engine);
    return true;
  } catch (error) {
    if (!engine.isClosed) throw error;
    return false;
  }
}

/**
 * Follows a new global checkpoint: recoveries that wait for it, commits that it makes superfluous, replicas that no
 * operation informs of it.
 */
function noteGlobalCheckpoint(copy: ShardCopy): void {
  wakeWaiters(copy);
  const { engine } = copy;
  if (engine === undefined || engine.isClosed) return;
  if (engine.commits.length > 1 && !areOldCommitsDropped(engine)) return;
  // With more operations under way, the next one carries the checkpoint.
  if (copy.permits.active <= 1) scheduleCheckpointSync(copy);
}
