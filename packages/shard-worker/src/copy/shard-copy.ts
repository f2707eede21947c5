/** One copy of a shard on this node: its place in the cluster, its engine, its bookkeeping. */
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

export type LocalState = "CREATED" | "RECOVERING" | "POST_RECOVERY" | "STARTED" | "CLOSED";

/** A request to another copy that is not answered yet. */
export interface PendingReplica {
  readonly cancellation: CancellationSource;
  /** Monotonic. */
  readonly sentMs: number;
  readonly patienceMs: number;
  /** Nothing was heard of it for too long. */
  isOverdue: boolean;
}

export interface FollowedState {
  readonly rows: readonly ShardRouting[] | undefined;
  readonly inSyncIds: readonly string[] | undefined;
  readonly tracker: ReplicationTracker;
}

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
  routing: ShardRouting;
  /** State that the tracker was last made to agree with, and the tracker that came of it. */
  followed: FollowedState | undefined;
  /** The highest this copy has operated under, or has been told of. */
  primaryTerm: number;
  engine: EngineState | undefined;
  /** Opened by a recovery from the own store or a repository, and not in use yet. */
  opening: EngineState | undefined;
  tracker: ReplicationTracker;
  leases: RetentionLeases;
  /** The newest that this copy has written to its disk. */
  keptLeases: RetentionLeases;
  /** A lease was renewed, and the replicas have not heard of it. */
  areLeasesUnsynced: boolean;
  recovery: RecoveryProgress;
  /** Where the copy came from, for as long as it lives. */
  readonly snapshotSource: SnapshotSource | undefined;
  /** Set while the copy recovers; calling it stops the recovery. */
  cancelRecovery: ((reason: string) => void) | undefined;
  incoming: IncomingRecovery | undefined;
  /** Recoveries that this primary serves, by target allocation id. */
  readonly outgoing: Map<string, (reason: string) => void>;
  closedBecause: string | undefined;
  /** Monotonic; searches and gets move it. */
  lastSearchMs: number;
  isRefreshPending: boolean;
  /** What is to happen later, by name; each at most once. */
  readonly timers: Map<string, () => void>;
  isSendingStarted: boolean;
  /** What plugins keep for as long as the copy lives. */
  readonly kept: KeyedValues;
  /** Changes of the copy as a whole that wait or run. */
  blocks: number;
  /** Requests to other copies that are under way, by allocation id. */
  readonly pendingReplicas: Map<string, Set<PendingReplica>>;
  /** Recovering copies that wait to be in-sync. */
  inSyncWaiters: (() => void)[];
  /** Closes this copy and tells the manager why. */
  fail(message: string, problem: Problem | undefined): void;
  /** Operations became durable here. */
  onPersisted(): void;
  /** The global checkpoint has moved. */
  onGlobalCheckpoint(): void;
}

export function shardName(copy: Pick<ShardCopy, "index" | "shard">): string {
  return `[${copy.index}][${copy.shard}]`;
}

/** The engine of a copy that has one; otherwise the copy is not to be used now. */
export function engineOf(copy: ShardCopy): EngineState {
  if (copy.engine !== undefined && copy.state !== "CLOSED") return copy.engine;
  throw new OperationError(illegalState(copy));
}

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

/** The part of the applied state that the tracker follows. */
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

/** Asked for with each write; the copies of a shard are never changed, only replaced. */
const idsOf = new WeakMap<readonly ShardRouting[], ReadonlySet<string>>();

export function routingOf(copy: ShardCopy, allocationId: string): ShardRouting | undefined {
  const { state } = copy.worker;
  if (state === undefined) return undefined;
  return copyByAllocationId(state, copy.index, copy.shard, allocationId as never);
}

/** Durable on this copy up to here. */
export function persistedCheckpoint(copy: ShardCopy): number {
  return copy.engine?.tracker.persistedCheckpoint ?? UNASSIGNED_SEQ_NO;
}

/** Recoveries that wait for a copy to be in-sync look again. */
export function wakeWaiters(copy: ShardCopy): void {
  const waiters = copy.inSyncWaiters;
  copy.inSyncWaiters = [];
  for (const wake of waiters) wake();
}
