/**
 * A copy of a shard on this node (`IndexShard`): its routing, engine, replication tracker, recoveries and requests
 * under way.
 */
import { copyByAllocationId, type ShardRouting } from "@orrery/cluster-state";
import {
  UNASSIGNED_SEQ_NO,
  type CopiesInState,
  type ReplicationTracker,
  type RetentionLeases,
} from "@orrery/replication";
import type { CancellationSource } from "@orrery/ports";
import { OperationError, type KeyedValues, type Problem } from "@orrery/stdx";
import type { WorkerContext } from "../context.ts";
import type { EngineCounters } from "../engine/counters.ts";
import type { EngineState } from "../engine/types.ts";
import type { IndexService } from "../index-service.ts";
import type { SnapshotSource } from "../recovery/snapshot-recovery.ts";
import type { RecoveryProgress } from "../recovery/progress.ts";
import type { IncomingRecovery } from "../recovery/target.ts";
import type { ShardPaths } from "../store/layout.ts";
import type { Attempts } from "../write/attempts.ts";
import type { Permits } from "./permits.ts";

/**
 * The state of a copy on its node. CREATED: without an engine. POST_RECOVERY: recovered, while the routing table does
 * not say STARTED yet. CLOSED: final.
 */
export type LocalState = "CREATED" | "RECOVERING" | "POST_RECOVERY" | "STARTED" | "CLOSED";

/** A request to another copy whose answer is awaited. */
export interface PendingReplica {
  readonly cancellation: CancellationSource;
  /** Monotonic time of the sending. */
  readonly sentMs: number;
  /** Time without an answer after which the request is cancelled and sent again. */
  readonly resendAfterMs: number;
  /** Whether that time has passed: the cancellation is then a reason to resend, not a failure. */
  isOverdue: boolean;
}

/**
 * The part of the applied cluster state that the tracker last followed, compared by identity, and the resulting
 * tracker. A state with the same part need not be followed again.
 */
export interface FollowedState {
  readonly rows: readonly ShardRouting[] | undefined;
  readonly inSyncIds: readonly string[] | undefined;
  readonly tracker: ReplicationTracker;
}

/**
 * A copy, owned by its worker and changed in place. A copy is created for one allocation id and never reused for
 * another.
 */
export interface ShardCopy {
  readonly worker: WorkerContext;
  /** `indexUuid/shard` */
  readonly key: string;
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly paths: ShardPaths;
  readonly permits: Permits;
  readonly attempts: Attempts;
  readonly counters: EngineCounters;
  service: IndexService;
  state: LocalState;
  /** The copy's routing in the applied cluster state. */
  routing: ShardRouting;
  /** The state that the tracker was last made to agree with; `undefined` before the first. */
  followed: FollowedState | undefined;
  /**
   * The highest primary term that this copy has operated under or has received in a message. Lower ones are rejected
   * (INV-REPL-4).
   */
  primaryTerm: number;
  /** `undefined` until the recovery has opened it for operations. A roll-back replaces it. */
  engine: EngineState | undefined;
  /** An engine that a recovery from the own store or a repository has opened, until it is in use. */
  opening: EngineState | undefined;
  tracker: ReplicationTracker;
  leases: RetentionLeases;
  /** The newest leases that are on this copy's disk. */
  persistedLeases: RetentionLeases;
  /** Whether some replica may lack the current leases. */
  areLeasesUnsynced: boolean;
  recovery: RecoveryProgress;
  /** The snapshot that the copy was restored from, for as long as it lives. */
  readonly snapshotSource: SnapshotSource | undefined;
  /** Cancels the copy's own recovery; `undefined` while there is none. */
  cancelRecovery: ((reason: string) => void) | undefined;
  /** The attempt of a peer recovery to this copy. */
  incoming: IncomingRecovery | undefined;
  /** Recoveries that this primary serves: target allocation id to their cancellation. */
  readonly outgoing: Map<string, (reason: string) => void>;
  closedBecause: string | undefined;
  /** Monotonic time of the last search or get, for search idle. */
  lastSearchMs: number;
  /** Whether a scheduled refresh was skipped because the shard is search-idle. */
  isRefreshPending: boolean;
  /** Cancellations of armed timers, by name (`timers.ts`). */
  readonly timers: Map<string, () => void>;
  isSendingStarted: boolean;
  /** Values of plugins, for the life of the copy. */
  readonly kept: KeyedValues;
  /** Blocks of the permits that wait or run. */
  blocks: number;
  /** Requests to other copies that are under way, by allocation id. */
  readonly pendingReplicas: Map<string, Set<PendingReplica>>;
  /** Wake-ups of recoveries that wait until their target is in-sync; each is called once (`wakeWaiters`). */
  inSyncWaiters: (() => void)[];
  /** Closes the copy and reports its failure to the cluster manager. No effect on a closed copy. */
  fail(message: string, problem: Problem | undefined): void;
  /** The engine's persisted checkpoint may have risen. */
  onPersisted(): void;
  /** The global checkpoint may have risen. */
  onGlobalCheckpoint(): void;
}

/** `[index][shard]`, as in log lines and problems. */
export function shardName(copy: Pick<ShardCopy, "index" | "shard">): string {
  return `[${copy.index}][${copy.shard}]`;
}

/**
 * The engine of a copy that can be used.
 * @throws OperationError `illegal_index_shard_state_exception`, retryable: the copy recovers, or is closed.
 */
export function engineOf(copy: ShardCopy): EngineState {
  if (copy.engine !== undefined && copy.state !== "CLOSED") return copy.engine;
  throw new OperationError(illegalState(copy));
}

/** The problem of an operation in the wrong state of the copy (`IllegalIndexShardStateException`); retryable. */
export function illegalState(copy: ShardCopy): Problem {
  const { indexUuid, shard, index } = copy;
  const reason = `CurrentState[${copy.state}] operations only allowed when shard state is one of [POST_RECOVERY, STARTED]`;
  return {
    type: "illegal_index_shard_state_exception",
    reason,
    status: 404,
    metadata: { index, shard: String(shard), index_uuid: indexUuid },
    isRetryable: true,
  };
}

/**
 * The problem of a request to a copy that is not here (`ShardNotFoundException`); retryable. `because`: the reason of
 * a fence.
 */
export function shardNotFound(
  request: { readonly index: string; readonly indexUuid: string; readonly shard: number },
  because?: Problem,
): Problem {
  const { index, shard, indexUuid } = request;
  const problem: Problem = {
    type: "shard_not_found_exception",
    reason: "no such shard",
    status: 404,
    metadata: { index, shard: String(shard), index_uuid: indexUuid },
    isRetryable: true,
  };
  return because === undefined ? problem : { ...problem, causedBy: because };
}

/** The part of the applied state that the tracker follows. In-sync ids and version are of the same state. */
export function copiesInState(copy: ShardCopy): CopiesInState {
  const { state } = copy.worker;
  const { metadata } = copy.service;
  return {
    version: state?.version ?? 0,
    inSyncIds: metadata.inSyncAllocationIds[copy.shard] ?? [],
    assignedIds: [...assignedIds(copy)],
  };
}

/** Allocation ids of the shard's copies that have a node, relocation targets included. */
export function assignedIds(copy: ShardCopy): ReadonlySet<string> {
  const copies = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard];
  if (copies === undefined) return new Set();
  let ids = idsOf.get(copies);
  if (ids === undefined) {
    ids = new Set(
      copies.flatMap(({ allocationId, relocationId }) =>
        [allocationId, relocationId].filter((id) => id !== undefined),
      ),
    );
    idsOf.set(copies, ids);
  }
  return ids;
}

/** Each write asks for them. Lists of routings are replaced, never changed. */
const idsOf = new WeakMap<readonly ShardRouting[], ReadonlySet<string>>();

/**
 * The routing of a copy of this shard in the applied state, relocation targets included; `undefined`: the state has
 * no such copy.
 */
export function routingOf(copy: ShardCopy, allocationId: string): ShardRouting | undefined {
  const { state } = copy.worker;
  if (state === undefined) return undefined;
  return copyByAllocationId(state, copy.index, copy.shard, allocationId as never);
}

/** The local checkpoint that is durable on this copy; -2 without an engine. */
export function persistedCheckpoint(copy: ShardCopy): number {
  return copy.engine?.tracker.persistedCheckpoint ?? UNASSIGNED_SEQ_NO;
}

/** Wakes the recoveries that wait in `markInSync`, which then read the tracker again. */
export function wakeWaiters(copy: ShardCopy): void {
  const waiters = copy.inSyncWaiters;
  copy.inSyncWaiters = [];
  for (const wake of waiters) wake();
}
