/** After a promotion: operations that may not be everywhere go to every other copy again. Source: `PrimaryReplicaSyncer`. */
import { actions, ReplicaOperationsRequest } from "@orrery/protocol";
import { noteResynced } from "@orrery/replication";
import { engineOf, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import type { EngineState } from "../engine/types.ts";
import { openHistory, type HistoryReader } from "../engine/history.ts";
import { createRecordWriter, type Operation } from "../translog/record.ts";
import { replicate } from "./replicate.ts";

const CHUNK_BYTES = 512 * 1024;
/**
 * A copy that has rolled back serves reads without what the resync brings it. A connection of the product sends a lost message again
 * within a second; what a copy has taken already it skips.
 */
const RESYNC_PATIENCE_MS = 1000;

/**
 * At least one message goes out, so that every copy learns of the new term and drops what is not in the history. Afterwards each copy
 * has all of it, or the cluster manager has confirmed that it is in-sync no more. Rejects when that cannot be brought about.
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
    patienceMs: RESYNC_PATIENCE_MS,
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

export function encodeOperations(operations: readonly Operation[]): Uint8Array {
  const writer = createRecordWriter();
  for (const operation of operations) writer.add(operation);
  return writer.bytes().slice();
}
