/** A replica takes the operations of its primary. */
import type { ReplicaOperationsRequest } from "@orrery/protocol";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { guardedAsync } from "../engine/failure.ts";
import { releaseHeld } from "../engine/held.ts";
import { afterWrite } from "./after-write.ts";
import { applyRecords } from "./apply.ts";
import { enter, replicaAnswer } from "./enter.ts";
import { refreshAfter } from "./refresh-after.ts";

export async function operationsOnReplica(
  copy: ShardCopy,
  request: ReplicaOperationsRequest,
): Promise<Uint8Array> {
  const release = await enter(copy, request.header);
  try {
    const engine = engineOf(copy);
    engine.maxUnsafeAutoIdMs = Math.max(engine.maxUnsafeAutoIdMs, request.maxUnsafeAutoIdMs);
    applyRecords(copy, engine, request.operations);
    if (request.isResync) await releaseHeld(engine, request.trimAboveSeqNo);
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
