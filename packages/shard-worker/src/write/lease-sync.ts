/**
 * Retention leases and the global checkpoint on their way to the replicas (`RetentionLeaseSyncAction`,
 * `GlobalCheckpointSyncAction`). A replica that misses a sync is sent the next one; it does not leave the in-sync
 * set.
 */
import { actions, GlobalCheckpointSyncRequest, RetentionLeaseSyncRequest } from "@orrery/protocol";
import type { GlobalCheckpointSyncRequest as CheckpointSync } from "@orrery/protocol";
import { supersedes, type RetentionLeases } from "@orrery/replication";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { engineOf } from "../copy/shard-copy.ts";
import { guardedAsync } from "../engine/failure.ts";
import { saveLeases } from "../store/lease-file.ts";
import { acquireReplicaPermit, replicaAnswer } from "./replica-permit.ts";
import { replicate } from "./replicate.ts";
import { leasesOf } from "./wire-leases.ts";

/**
 * Persists the current leases here and sends them to the replicas. `areLeasesUnsynced` stays set if a replica was not
 * reached, or if the leases have changed meanwhile.
 */
export async function syncLeases(copy: ShardCopy): Promise<void> {
  const told = copy.leases;
  copy.areLeasesUnsynced = true;
  await persistLeases(copy);
  const { failures } = await replicate(copy, {
    action: actions.syncRetentionLeases,
    mustReachAll: false,
    encode: (header) => RetentionLeaseSyncRequest.encode({ header, leases: told }).finish(),
  });
  if (failures.length === 0 && copy.leases === told) copy.areLeasesUnsynced = false;
}

/**
 * Whether replicas may have persisted more than they reported. With asynchronous durability an answer comes before
 * the sync of its operation; without another message the global checkpoint would stand still after the last write
 * (`IndexShard.maybeSyncGlobalCheckpoint`).
 */
export function mayCheckpointsHaveMoved({ tracker, engine, service }: ShardCopy): boolean {
  if (service.settings.isSyncedPerRequest || tracker.mode !== "primary" || engine === undefined)
    return false;
  return tracker.globalCheckpoint < engine.tracker.maxSeqNo || tracker.pendingInSync.size > 0;
}

/** Whether an in-sync replica has persisted a lower global checkpoint than the primary knows. */
export function isGlobalCheckpointSyncNeeded(copy: ShardCopy): boolean {
  const { tracker, engine } = copy;
  if (tracker.mode !== "primary" || engine === undefined) return false;
  for (const [id, known] of tracker.copies) {
    if (id === tracker.self || !known.inSync) continue;
    if (known.globalCheckpoint < tracker.globalCheckpoint) return true;
  }
  return false;
}

/** Sends the global checkpoint to the replicas in the header of an empty message, and persists it here (`persistCheckpoint`). */
export async function syncGlobalCheckpoint(copy: ShardCopy): Promise<void> {
  const replicating = replicate(copy, {
    action: actions.syncGlobalCheckpoint,
    mustReachAll: false,
    encode: (header) => GlobalCheckpointSyncRequest.encode({ header }).finish(),
  });
  await Promise.all([replicating, persistCheckpoint(copy)]);
}

/**
 * Makes translog and global checkpoint durable if each request is synced. With asynchronous durability the periodic
 * sync does so (`GlobalCheckpointSyncAction.maybeSyncTranslog`).
 */
export async function persistCheckpoint(copy: ShardCopy): Promise<void> {
  if (!copy.service.settings.isSyncedPerRequest) return;
  const engine = engineOf(copy);
  await guardedAsync(engine, () => engine.translog.syncCheckpoint());
}

/** Adopts the primary's leases, and persists them before the answer, so that they survive a promotion of this copy. */
export async function leasesOnReplica(
  copy: ShardCopy,
  request: RetentionLeaseSyncRequest,
): Promise<Uint8Array> {
  const release = await acquireReplicaPermit(copy, request.header);
  try {
    adoptLeases(copy, leasesOf(request.leases));
    await persistLeases(copy);
    return replicaAnswer(copy);
  } finally {
    release();
  }
}

/** Writes the leases durably to the copy's state folder. */
export async function persistLeases(copy: ShardCopy): Promise<void> {
  const { worker, paths, leases } = copy;
  await guardedAsync(engineOf(copy), () =>
    saveLeases(worker.disk, paths.state, leases, {
      owner: copy,
      isGivenUp: () => copy.state === "CLOSED",
    }),
  );
}

/** Adopts the leases of a primary if they are newer than the copy's. Messages may arrive in any order. */
export function adoptLeases(copy: ShardCopy, leases: RetentionLeases): void {
  if (supersedes(leases, copy.leases)) copy.leases = leases;
}

/** Answers a sync of the global checkpoint, which arrived with the message's header, after persisting it. */
export async function checkpointOnReplica(
  copy: ShardCopy,
  request: CheckpointSync,
): Promise<Uint8Array> {
  const release = await acquireReplicaPermit(copy, request.header);
  try {
    await persistCheckpoint(copy);
    copy.onGlobalCheckpoint();
    return replicaAnswer(copy);
  } finally {
    release();
  }
}
