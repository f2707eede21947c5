/** Operations of the primary on a replica, from writes and resyncs. */
import type { ReplicaOperationsRequest } from "@orrery/protocol";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { guardedAsync } from "../engine/failure.ts";
import { dropRolledBack } from "../engine/rolled-back.ts";
import { afterWrite } from "./after-write.ts";
import { applyRecords } from "./apply.ts";
import { acquireReplicaPermit, replicaAnswer } from "./replica-permit.ts";
import { refreshAfter } from "./refresh-after.ts";

/**
 * Applies operations on a replica, syncs them if each request is synced, and answers with the checkpoints. Operations
 * that were applied before are skipped, so a resent message is harmless.
 */
export async function operationsOnReplica(
  copy: ShardCopy,
  request: ReplicaOperationsRequest,
): Promise<Uint8Array> {
  const release = await acquireReplicaPermit(copy, request.header);
  try {
    const engine = engineOf(copy);
    engine.maxUnsafeAutoIdMs = Math.max(engine.maxUnsafeAutoIdMs, request.maxUnsafeAutoIdMs);
    applyRecords(copy, engine, request.operations);
    // After the operations: the resync must have replaced all rolled-back ones.
    if (request.isResync) await dropRolledBack(engine, request.trimAboveSeqNo);
    const syncing = copy.service.settings.isSyncedPerRequest
      ? guardedAsync(engine, () => engine.translog.sync())
      : Promise.resolve();
    await Promise.all([syncing, refreshAfter(copy, engine, request.refresh)]);
    afterWrite(copy);
    return replicaAnswer(copy);
  } finally {
    release();
  }
}
