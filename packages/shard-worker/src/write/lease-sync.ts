/** Retention leases and the global checkpoint, told to the replicas when they changed and from time to time. */
import { actions, GlobalCheckpointSyncRequest, RetentionLeaseSyncRequest } from "@orrery/protocol";
import type { GlobalCheckpointSyncRequest as CheckpointSync } from "@orrery/protocol";
import { supersedes, type RetentionLeases } from "@orrery/replication";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { engineOf } from "../copy/shard-copy.ts";
import { guardedAsync } from "../engine/failure.ts";
import { saveLeases } from "../store/lease-file.ts";
import { enter, replicaAnswer } from "./enter.ts";
import { replicate } from "./replicate.ts";
import { leasesOf } from "./wire-leases.ts";

/** A copy that does not hear of them is told again by the upkeep of the primary. */
export async function syncLeases(copy: ShardCopy): Promise<void> {
  const told = copy.leases;
  copy.areLeasesUnsynced = true;
  await keepLeases(copy);
  const { failures } = await replicate(copy, {
    action: actions.syncRetentionLeases,
    mustReachAll: false,
    encode: (header) => RetentionLeaseSyncRequest.encode({ header, leases: told }).finish(),
  });
  if (failures.length === 0 && copy.leases === told) copy.areLeasesUnsynced = false;
}

/**
 * With asynchronous durability a copy tells its local checkpoint with the operation that it has not synced yet. The primary asks for it
 * again from time to time, or the global checkpoint would stand still after the last write. Source: `IndexShard.maybeSyncGlobalCheckpoint`.
 */
export function mayCheckpointsHaveMoved({ tracker, engine, service }: ShardCopy): boolean {
  if (service.settings.isSyncedPerRequest || tracker.mode !== "primary" || engine === undefined)
    return false;
  return tracker.globalCheckpoint < engine.tracker.maxSeqNo || tracker.pendingInSync.size > 0;
}

/** Some copy does not know yet that everything is everywhere, or would not after a power cut. */
export function isGlobalCheckpointSyncNeeded(copy: ShardCopy): boolean {
  const { tracker, engine } = copy;
  if (tracker.mode !== "primary" || engine === undefined) return false;
  for (const [id, known] of tracker.copies) {
    if (id === tracker.self || !known.inSync) continue;
    if (known.globalCheckpoint < tracker.globalCheckpoint) return true;
  }
  return false;
}

export async function syncGlobalCheckpoint(copy: ShardCopy): Promise<void> {
  const replicating = replicate(copy, {
    action: actions.syncGlobalCheckpoint,
    mustReachAll: false,
    encode: (header) => GlobalCheckpointSyncRequest.encode({ header }).finish(),
  });
  await Promise.all([replicating, keepCheckpoint(copy)]);
}

/**
 * Operations of the translog and the known global checkpoint are durable then, where requests are synced; elsewhere they wait for
 * the sync of the interval. Source: `GlobalCheckpointSyncAction.maybeSyncTranslog`.
 */
export async function keepCheckpoint(copy: ShardCopy): Promise<void> {
  if (!copy.service.settings.isSyncedPerRequest) return;
  const engine = engineOf(copy);
  await guardedAsync(engine, () => engine.translog.syncCheckpoint());
}

export async function leasesOnReplica(
  copy: ShardCopy,
  request: RetentionLeaseSyncRequest,
): Promise<Uint8Array> {
  const release = await enter(copy, request.header);
  try {
    takeLeases(copy, leasesOf(request.leases));
    await keepLeases(copy);
    return replicaAnswer(copy);
  } finally {
    release();
  }
}

/** Durable when it ends. */
export async function keepLeases(copy: ShardCopy): Promise<void> {
  const { worker, paths, leases } = copy;
  await guardedAsync(engineOf(copy), () =>
    saveLeases(worker.disk, paths.state, leases, {
      keeper: copy,
      isGivenUp: () => copy.state === "CLOSED",
    }),
  );
}

export function takeLeases(copy: ShardCopy, leases: RetentionLeases): void {
  if (supersedes(leases, copy.leases)) copy.leases = leases;
}

export async function checkpointOnReplica(
  copy: ShardCopy,
  request: CheckpointSync,
): Promise<Uint8Array> {
  const release = await enter(copy, request.header);
  try {
    await keepCheckpoint(copy);
    copy.onGlobalCheckpoint();
    return replicaAnswer(copy);
  } finally {
    release();
  }
}
