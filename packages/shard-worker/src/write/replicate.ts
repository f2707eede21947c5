/**
 * Replication (`ReplicationOperation`): sends an operation that the primary has carried out to every other copy of
 * its group, until each has answered or has left the in-sync set.
 *
 * INV-REPL-5: an operation is acknowledged only when every in-sync copy has answered, or the cluster manager has
 * confirmed that the copy is no longer in-sync. A primary that the cluster manager has replaced learns it there, and
 * acknowledges nothing.
 */
import { createCancellation, detached, ownWork, type RequestContext } from "@orrery/ports";
import { ReplicaResponse } from "@orrery/protocol";
import { replicationGroup, reportCheckpoint, reportGlobalCheckpoint } from "@orrery/replication";
import { OperationError, type Problem } from "@orrery/stdx";
import { blameCopy } from "../blame.ts";
import {
  assignedIds,
  routingOf,
  shardName,
  shardNotFound,
  wakeWaiters,
  type PendingReplica,
  type ShardCopy,
} from "../copy/shard-copy.ts";
import { arm } from "../copy/timers.ts";
import { sendFailed, pause } from "../manager.ts";

/** The header of every message to a replica; `allocationId` is filled in for each copy. */
export interface HeaderFields {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly primaryTerm: number;
  readonly globalCheckpoint: number;
  readonly maxSeqNoOfUpdates: number;
  readonly mappingVersion: number;
}

/** A message to all copies of the group. */
export interface ReplicatedMessage {
  readonly action: string;
  readonly encode: (header: HeaderFields) => Uint8Array;
  /** A copy that fails the message leaves the in-sync set; otherwise a later message makes up for it. */
  readonly mustReachAll: boolean;
  /** Time without an answer after which the message is sent again; `RESEND_AFTER_MS` when absent. */
  readonly resendAfterMs?: number;
  /**
   * The request that the primary has carried out: its caller and task go along, its cancellation does not. Absent:
   * own work.
   */
  readonly context?: RequestContext;
}

/** A failure as `_shards.failures` lists it. */
export interface ReplicaFailure {
  readonly nodeId: string;
  readonly problem: Problem;
}

/** Counts as in `_shards`: `successful` includes the primary; unassigned copies count in `total` alone. */
export interface ReplicationResult {
  readonly total: number;
  readonly successful: number;
  readonly failures: readonly ReplicaFailure[];
  /** Allocation ids of the copies that have answered. */
  readonly reached: readonly string[];
}

/** gone: the copy has left the group or was unavailable; it is neither a success nor a failure of the request. */
type CopyResult =
  | { readonly kind: "done"; readonly id: string }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly failure: ReplicaFailure };

const FIRST_BACKOFF_MS = 50;
/** Period in which a message is retried; afterwards the copy has failed it. */
const RETRY_TIMEOUT_MS = 60_000;
/** Time without an answer after which a message is sent again; the phase of the timer may add as much again. */
const RESEND_AFTER_MS = 20_000;

/**
 * Sends a message to all copies of the replication group; resolves when every copy has answered or has left the group.
 * An unforeseen error fails this copy, because its replicas may lack operations.
 * @throws OperationError `retry_on_primary_exception`: this copy is no longer primary.
 */
export function replicate(copy: ShardCopy, message: ReplicatedMessage): Promise<ReplicationResult> {
  return blameCopy(copy, () => replicateToGroup(copy, message));
}

/**
 * Sends to the tracked copies that are assigned now. Copies that are in-sync and not assigned cannot be reached: they
 * are marked stale before the operation counts as done.
 */
async function replicateToGroup(
  copy: ShardCopy,
  message: ReplicatedMessage,
): Promise<ReplicationResult> {
  const header: HeaderFields = {
    index: copy.index,
    indexUuid: copy.indexUuid,
    shard: copy.shard,
    allocationId: "",
    primaryTerm: copy.primaryTerm,
    globalCheckpoint: copy.tracker.globalCheckpoint,
    maxSeqNoOfUpdates: copy.engine?.maxSeqNoOfUpdates ?? -1,
    mappingVersion: copy.service.metadata.mappingVersion,
  };
  const group = replicationGroup(copy.tracker, assignedIds(copy));
  const { targets } = group;
  const stale = message.mustReachAll ? group.unavailableInSync : [];
  const total = totalCopies(copy);
  if (targets.length === 0 && stale.length === 0)
    return { total, successful: 1, failures: [], reached: [] };
  const results = await Promise.all([
    ...targets.map((id) => sendTo(copy, id, header, message)),
    ...stale.map((id) => markStale(copy, id)),
  ]);
  const failures = results.flatMap((result) => (result.kind === "failed" ? [result.failure] : []));
  const reached = results.flatMap((result) => (result.kind === "done" ? [result.id] : []));
  return { total, successful: 1 + reached.length, failures, reached };
}

/** `_shards.total`: all copies of the shard, unassigned ones and relocation targets included. */
export function totalCopies(copy: ShardCopy): number {
  const rows = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  const moving = rows.filter(({ state }) => state === "RELOCATING").length;
  return Math.max(1, rows.length + moving);
}

/** Sends to one copy, until it answers, fails, or leaves the routing table. Each attempt looks up its node. */
async function sendTo(
  copy: ShardCopy,
  id: string,
  header: HeaderFields,
  message: ReplicatedMessage,
): Promise<CopyResult> {
  const { worker } = copy;
  const startedMs = worker.clock.monotonicMs();
  const payload = message.encode({ ...header, allocationId: id });
  const context = detached(message.context ?? ownWork);
  for (let backoffMs = FIRST_BACKOFF_MS; ; backoffMs *= 2) {
    const routing = routingOf(copy, id);
    const node = routing?.nodeId;
    if (node === undefined || copy.state === "CLOSED") return resolveRemoved(copy, id, message);
    const pending = watchRequest(copy, id, message.resendAfterMs ?? RESEND_AFTER_MS);
    try {
      const answer = ReplicaResponse.decode(
        await worker.endpoint.request(node, message.action, payload, {
          shard: copy.key,
          channel: "bulk",
          cancellation: pending.cancellation,
          context,
        }),
      );
      noteAnswer(copy, id, answer);
      return { kind: "done", id };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      // A state that was applied meanwhile has removed it, and has cancelled the request (`cancelGone`).
      if (routingOf(copy, id) === undefined) return resolveRemoved(copy, id, message);
      const elapsedMs = worker.clock.monotonicMs() - startedMs;
      const isTransient = pending.isOverdue || isTransientProblem(error.problem);
      if (!isTransient || elapsedMs + backoffMs > RETRY_TIMEOUT_MS) {
        if (message.mustReachAll) return failReplica(copy, id, node, error.problem);
        return { kind: "failed", failure: { nodeId: node, problem: error.problem } };
      }
    } finally {
      pending.forget();
    }
    await pause(worker, backoffMs);
  }
}

/** Records the checkpoints of a copy. */
function noteAnswer(copy: ShardCopy, id: string, answer: ReplicaResponse): void {
  const before = copy.tracker;
  copy.tracker = reportCheckpoint(copy.tracker, id, answer.localCheckpoint);
  copy.tracker = reportGlobalCheckpoint(copy.tracker, id, answer.globalCheckpoint);
  if (copy.tracker.globalCheckpoint !== before.globalCheckpoint) copy.onGlobalCheckpoint();
  // The copy may have become in-sync without a rise of the global checkpoint: that waits for another copy, or was
  // there already.
  else if (copy.tracker.pendingInSync.size !== before.pendingInSync.size) wakeWaiters(copy);
}

/** Has the cluster manager fail the copy, and resolves when it is out of the in-sync set. */
async function failReplica(
  copy: ShardCopy,
  id: string,
  nodeId: string,
  problem: Problem,
): Promise<CopyResult> {
  const message = `failed to perform indices:data/write/bulk[s] on replica ${shardName(copy)}, node[${nodeId}], a[id=${id}]`;
  await failAtManager(copy, id, message, problem);
  if (isUnavailable(problem)) return { kind: "gone" };
  return { kind: "failed", failure: { nodeId, problem } };
}

/**
 * The copy is not in the routing table any more, or this copy is closed. The removed copy may be in-sync all the
 * same, or the primary by now: only the cluster manager can confirm that the operation does not need it.
 */
async function resolveRemoved(
  copy: ShardCopy,
  id: string,
  message: ReplicatedMessage,
): Promise<CopyResult> {
  return message.mustReachAll ? markStale(copy, id) : { kind: "gone" };
}

/** Has the cluster manager remove an unassigned copy from the in-sync set. */
async function markStale(copy: ShardCopy, id: string): Promise<CopyResult> {
  await failAtManager(copy, id, "marking unavailable shards as stale", undefined);
  return { kind: "gone" };
}

/**
 * Asks the cluster manager to fail a copy, under this copy's primary term; resolves when the change is applied. If the
 * manager has a higher term, this copy was demoted, and fails.
 * @throws OperationError `retry_on_primary_exception`: the operation may not be acknowledged.
 */
export async function failAtManager(
  copy: ShardCopy,
  id: string,
  message: string,
  problem: Problem | undefined,
): Promise<void> {
  const { index, indexUuid, shard, primaryTerm } = copy;
  copy.worker.log("warn", `${shardName(copy)} ${message}${problem ? `: ${problem.reason}` : ""}`);
  try {
    await sendFailed(
      copy.worker,
      {
        index,
        indexUuid,
        shard,
        allocationId: id,
        primaryTerm,
        markAsStale: true,
        message,
        problem,
      },
      () => copy.state === "CLOSED",
    );
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.problem.type === "no_longer_primary_shard_exception") {
      copy.fail(
        `primary shard [${copy.allocationId}] was demoted while failing replica shard`,
        error.problem,
      );
    }
    throw new OperationError({
      ...shardNotFound(copy, error.problem),
      type: "retry_on_primary_exception",
      reason: "shard is not in primary mode",
      status: 500,
    });
  }
}

/** A request under way; `forget` when it has ended. */
interface WatchedRequest extends PendingReplica {
  readonly forget: () => void;
}

/** Registers a request, so that it is cancelled when its copy leaves the routing table or does not answer in time. */
function watchRequest(copy: ShardCopy, id: string, resendAfterMs: number): WatchedRequest {
  const set = copy.pendingReplicas.get(id) ?? new Set();
  copy.pendingReplicas.set(id, set);
  const pending: WatchedRequest = {
    cancellation: createCancellation(),
    sentMs: copy.worker.clock.monotonicMs(),
    resendAfterMs,
    isOverdue: false,
    forget: () => {
      set.delete(pending);
      if (set.size === 0 && copy.pendingReplicas.get(id) === set) copy.pendingReplicas.delete(id);
    },
  };
  set.add(pending);
  resendOverdue(copy, resendAfterMs, resendAfterMs);
  return pending;
}

/**
 * Cancels requests without an answer: a message may get lost although both nodes are well and connected. They are
 * sent again; a copy skips operations that it has. One timer serves all requests of the same `resendAfterMs`.
 */
function resendOverdue(copy: ShardCopy, resendAfterMs: number, delayMs: number): void {
  arm(copy, `replicas, ${resendAfterMs} ms`, delayMs, () => {
    const latestMs = copy.worker.clock.monotonicMs() - resendAfterMs;
    let nextMs = Infinity;
    for (const pending of [...copy.pendingReplicas.values()].flatMap((set) => [...set])) {
      if (pending.resendAfterMs !== resendAfterMs) continue;
      if (pending.sentMs > latestMs) nextMs = Math.min(nextMs, pending.sentMs - latestMs);
      else {
        pending.isOverdue = true;
        pending.cancellation.cancel("the copy does not answer");
      }
    }
    // Rounded up: a timer of less than a millisecond might end before it is due.
    if (nextMs < Infinity) resendOverdue(copy, resendAfterMs, Math.ceil(nextMs));
  });
}

/** Problems of the connection or of a full node: the same message may succeed. */
function isTransientProblem({ type, status }: Problem): boolean {
  return (
    status === 429 ||
    type === "node_not_connected_exception" ||
    type === "node_disconnected_exception" ||
    type === "connect_transport_exception" ||
    type === "circuit_breaking_exception"
  );
}

/**
 * Whether the problem means that a copy is absent or not ready. Such a copy counts neither as success nor as failure of
 * the operation.
 */
export function isUnavailable({ type }: Problem): boolean {
  return (
    type === "shard_not_found_exception" ||
    type === "index_not_found_exception" ||
    type === "illegal_index_shard_state_exception" ||
    type === "already_closed_exception"
  );
}
