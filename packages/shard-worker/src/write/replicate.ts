/**
 * Sends what the primary has done to every other copy, and tells when each has it, or has left the in-sync set.
 *
 * INV-REPL-5: an operation is acknowledged only when every in-sync copy has answered, or the cluster manager has
 * confirmed that it is in-sync no more. Source: `ReplicationOperation`.
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

/** What every message to a replica begins with, but for the replica's own id. */
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

export interface ReplicatedMessage {
  readonly action: string;
  readonly encode: (header: HeaderFields) => Uint8Array;
  /** A copy that does not take it leaves the in-sync set; otherwise it is told again another time. */
  readonly mustReachAll: boolean;
  /** Until it is sent again when no answer comes; `ANSWER_PATIENCE_MS` when absent. */
  readonly patienceMs?: number;
  /** Of the request that the primary has carried out: its caller and task go along, and nothing of it ends the message. Absent: own work. */
  readonly context?: RequestContext;
}

export interface ReplicaFailure {
  readonly nodeId: string;
  readonly problem: Problem;
}

export interface ReplicationResult {
  readonly total: number;
  readonly successful: number;
  readonly failures: readonly ReplicaFailure[];
  /** Allocation ids of the copies that have taken it. */
  readonly reached: readonly string[];
}

type CopyResult =
  | { readonly kind: "done"; readonly id: string }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly failure: ReplicaFailure };

const FIRST_BACKOFF_MS = 50;
const RETRY_TIMEOUT_MS = 60_000;
/** Until a message that is not answered is sent again, and as long again at most. */
const ANSWER_PATIENCE_MS = 20_000;

/** Rejects when this copy turns out to be the primary no more. What is unforeseen fails it: its replicas may lack operations. */
export function replicate(copy: ShardCopy, message: ReplicatedMessage): Promise<ReplicationResult> {
  return blameCopy(copy, () => replicateToGroup(copy, message));
}

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

/** As `_shards.total` counts: every copy of the shard, unassigned ones and relocation targets included. */
export function totalCopies(copy: ShardCopy): number {
  const rows = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  const moving = rows.filter(({ state }) => state === "RELOCATING").length;
  return Math.max(1, rows.length + moving);
}

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
    if (node === undefined || copy.state === "CLOSED") return left(copy, id, message);
    const pending = watch(copy, id, message.patienceMs ?? ANSWER_PATIENCE_MS);
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
      if (routingOf(copy, id) === undefined) return left(copy, id, message);
      const elapsedMs = worker.clock.monotonicMs() - startedMs;
      const isTransient = pending.isOverdue || isPassing(error.problem);
      if (!isTransient || elapsedMs + backoffMs > RETRY_TIMEOUT_MS) {
        if (message.mustReachAll) return failCopy(copy, id, node, error.problem);
        return { kind: "failed", failure: { nodeId: node, problem: error.problem } };
      }
    } finally {
      pending.forget();
    }
    await pause(worker, backoffMs);
  }
}

function noteAnswer(copy: ShardCopy, id: string, answer: ReplicaResponse): void {
  const before = copy.tracker;
  copy.tracker = reportCheckpoint(copy.tracker, id, answer.localCheckpoint);
  copy.tracker = reportGlobalCheckpoint(copy.tracker, id, answer.globalCheckpoint);
  if (copy.tracker.globalCheckpoint !== before.globalCheckpoint) copy.onGlobalCheckpoint();
  // A copy may be let in without that: it has caught up while the checkpoint waits for another one, or stands there already.
  else if (copy.tracker.pendingInSync.size !== before.pendingInSync.size) wakeWaiters(copy);
}

/** Tells the manager, and waits until the copy is out of the in-sync set. */
async function failCopy(
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
 * The copy is not in the routing table any more, or this one is closed. It may be in-sync all the same, or the primary by
 * now: that it does not matter for this operation is the manager's to say.
 */
async function left(copy: ShardCopy, id: string, message: ReplicatedMessage): Promise<CopyResult> {
  return message.mustReachAll ? markStale(copy, id) : { kind: "gone" };
}

async function markStale(copy: ShardCopy, id: string): Promise<CopyResult> {
  await failAtManager(copy, id, "marking unavailable shards as stale", undefined);
  return { kind: "gone" };
}

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

interface WatchedRequest extends PendingReplica {
  readonly forget: () => void;
}

/** Requests to a copy end when it leaves the routing table, and when nothing is heard of them. */
function watch(copy: ShardCopy, id: string, patienceMs: number): WatchedRequest {
  const set = copy.pendingReplicas.get(id) ?? new Set();
  copy.pendingReplicas.set(id, set);
  const pending: WatchedRequest = {
    cancellation: createCancellation(),
    sentMs: copy.worker.clock.monotonicMs(),
    patienceMs,
    isOverdue: false,
    forget: () => {
      set.delete(pending);
      if (set.size === 0 && copy.pendingReplicas.get(id) === set) copy.pendingReplicas.delete(id);
    },
  };
  set.add(pending);
  lookForOverdue(copy, patienceMs, patienceMs);
  return pending;
}

/**
 * A message or its answer may have got lost although both nodes are well and connected. It is sent again: what a copy has
 * already done it skips.
 */
function lookForOverdue(copy: ShardCopy, patienceMs: number, delayMs: number): void {
  arm(copy, `replicas, ${patienceMs} ms`, delayMs, () => {
    const latestMs = copy.worker.clock.monotonicMs() - patienceMs;
    let nextMs = Infinity;
    for (const pending of [...copy.pendingReplicas.values()].flatMap((set) => [...set])) {
      if (pending.patienceMs !== patienceMs) continue;
      if (pending.sentMs > latestMs) nextMs = Math.min(nextMs, pending.sentMs - latestMs);
      else {
        pending.isOverdue = true;
        pending.cancellation.cancel("the copy does not answer");
      }
    }
    // A whole number: less than that may be nothing at all.
    if (nextMs < Infinity) lookForOverdue(copy, patienceMs, Math.ceil(nextMs));
  });
}

function isPassing({ type, status }: Problem): boolean {
  return (
    status === 429 ||
    type === "node_not_connected_exception" ||
    type === "node_disconnected_exception" ||
    type === "connect_transport_exception" ||
    type === "circuit_breaking_exception"
  );
}

/** The copy is not there, or not ready: no failure of what was asked of it. */
export function isUnavailable({ type }: Problem): boolean {
  return (
    type === "shard_not_found_exception" ||
    type === "index_not_found_exception" ||
    type === "illegal_index_shard_state_exception" ||
    type === "already_closed_exception"
  );
}
