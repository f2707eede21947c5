/** After a promotion: operations that may not be everywhere go to every other copy again. Source: `PrimaryReplicaSyncer`. */
import { actions, ReplicaOperationsRequest } from "@orrery/protocol";
import { batchBySize } from "@orrery/replication";
import { engineOf, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { guarded } from "../engine/failure.ts";
import { readHistory } from "../engine/history.ts";
import { createRecordWriter, type Operation } from "../translog/record.ts";
import { replicate } from "./replicate.ts";

const CHUNK_BYTES = 512 * 1024;

/** At least one message goes out, so that every copy learns of the new term and drops what is not in the history. */
export async function resyncReplicas(copy: ShardCopy): Promise<void> {
  const engine = engineOf(copy);
  const { maxSeqNo } = engine.tracker;
  const from = copy.tracker.globalCheckpoint + 1;
  const operations = guarded(engine, () => readHistory(engine, from, maxSeqNo));
  const batches = batchBySize(operations, (one) => (one.source?.length ?? 0) + 64, CHUNK_BYTES);
  for (const batch of batches.length === 0 ? [[]] : batches) {
    const records = encodeOperations(batch);
    await replicate(copy, {
      action: actions.resyncReplica,
      mustReachAll: true,
      encode: (header) =>
        ReplicaOperationsRequest.encode({
          header,
          operations: records,
          refresh: "false",
          trimAboveSeqNo: maxSeqNo,
          isResync: true,
          maxUnsafeAutoIdMs: engine.maxUnsafeAutoIdMs,
        }).finish(),
    });
  }
  copy.worker.log(
    "info",
    `${shardName(copy)} primary-replica resync completed with ${operations.length} operations`,
  );
}

export function encodeOperations(operations: readonly Operation[]): Uint8Array {
  const writer = createRecordWriter();
  for (const operation of operations) writer.add(operation);
  return writer.bytes().slice();
}
