/**
 * Primary-replica resync after a promotion (`PrimaryReplicaSyncer`, `ResyncReplicationRequest`): the new primary
 * sends every other copy its operations above the global checkpoint, which some copies lack and others have rolled
 * back.
 */
import { actions, ReplicaOperationsRequest } from "@orrery/protocol";
import { noteResynced } from "@orrery/replication";
import { engineOf, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import type { EngineState } from "../engine/types.ts";
import { openHistory, type HistoryReader } from "../engine/history.ts";
import { createRecordWriter, type Operation } from "../translog/record.ts";
import { replicate } from "./replicate.ts";

const CHUNK_BYTES = 512 * 1024;
/**
 * A copy that has rolled back serves reads without the operations that the resync brings. The product's connections
 * resend a lost message within a second; a copy skips operations that it has.
 */
const RESYNC_RESEND_AFTER_MS = 1000;

/**
 * Resyncs all replicas after a promotion. Each replica gets at least one message, from which it learns the new primary
 * term and drops operations that are not in the history. On return each copy has all operations, or the cluster manager
 * has confirmed that it left the in-sync set.
 * @throws OperationError This copy is no longer primary, or its history is incomplete.
 */
export async function resyncReplicas(copy: ShardCopy): Promise<void> {
  const engine = engineOf(copy);
  const from = copy.tracker.globalCheckpoint + 1;
  const history = openHistory(engine, { from, to: engine.tracker.maxSeqNo, maxBytes: CHUNK_BYTES });
  try {
    await sendHistory(copy, engine, history);
  } finally {
    history.close();
  }
  copy.worker.trace({
    kind: "copies-resynced",
    nodeId: copy.worker.nodeId,
    index: copy.index,
    shard: copy.shard,
    allocationId: copy.allocationId,
    primaryTerm: copy.primaryTerm,
  });
  copy.worker.log(
    "info",
    `${shardName(copy)} primary-replica resync completed with ${history.count} operations`,
  );
}

/**
 * Sends the batches one after the other. A copy counts as resynced if it has answered every one of them
 * (INV-REPL-10).
 */
async function sendHistory(
  copy: ShardCopy,
  engine: EngineState,
  history: HistoryReader,
): Promise<void> {
  let reached: ReadonlySet<string> = copy.tracker.awaitingResync;
  for (let batch = history.next() ?? []; ;) {
    const took = new Set(await sendBatch(copy, engine, batch, history.to));
    reached = new Set([...reached].filter((id) => took.has(id)));
    const next = history.next();
    if (next === undefined) break;
    batch = next;
  }
  history.checkComplete();
  copy.tracker = noteResynced(copy.tracker, reached);
}

/**
 * Sends one batch; returns the allocation ids of the copies that have answered. `trimAboveSeqNo`: the end of the
 * whole resync.
 */
async function sendBatch(
  copy: ShardCopy,
  engine: EngineState,
  batch: readonly Operation[],
  trimAboveSeqNo: number,
): Promise<readonly string[]> {
  const operations = encodeOperations(batch);
  const result = await replicate(copy, {
    action: actions.resyncReplica,
    mustReachAll: true,
    resendAfterMs: RESYNC_RESEND_AFTER_MS,
    encode: (header) =>
      ReplicaOperationsRequest.encode({
        header,
        operations,
        refresh: "false",
        trimAboveSeqNo,
        isResync: true,
        maxUnsafeAutoIdMs: engine.maxUnsafeAutoIdMs,
      }).finish(),
  });
  return result.reached;
}

/** Operations as records, in a buffer of their own. */
export function encodeOperations(operations: readonly Operation[]): Uint8Array {
  const writer = createRecordWriter();
  for (const operation of operations) writer.add(operation);
  return writer.bytes().slice();
}
