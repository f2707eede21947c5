/**
 * A copy in primary mode: it computes the global checkpoint and owns the retention leases
 * (`IndexShard.activatePrimaryMode`). A promotion raises the primary term, closes gaps and resyncs the other copies.
 */
import { blockCopy } from "./block.ts";
import { isActive } from "@orrery/cluster-state";
import {
  activatePrimary,
  addLease,
  expireLeases,
  findLease,
  minReasonableSeqNo,
  needsRenewal,
  peerLeaseId,
  peerLeaseSource,
  renewLease,
  reportCheckpoint,
  type LeaseOutcome,
  type RetentionLeases,
} from "@orrery/replication";
import { safeCommit } from "../engine/commits.ts";
import { engineProblem, guarded, guardedAsync } from "../engine/failure.ts";
import { restoreRolledBack } from "../engine/rolled-back.ts";
import { closeBatch } from "../engine/operations.ts";
import { liveCount } from "../engine/segments.ts";
import { closeGaps } from "../recovery/close-gaps.ts";
import { parserOf } from "../write/apply.ts";
import { resyncReplicas } from "../write/resync.ts";
import { traceLease } from "./leases.ts";
import { copiesInState, engineOf, persistedCheckpoint, type ShardCopy } from "./shard-copy.ts";

/**
 * Activates a copy with an open engine as primary, under its current primary term. Leases continue under that term, so
 * that those of an older primary no longer supersede them.
 */
export function activateAsPrimary(copy: ShardCopy, isPromotion: boolean): void {
  const localCheckpoint = persistedCheckpoint(copy);
  const activation = { localCheckpoint, isPromotion };
  copy.tracker = activatePrimary(copy.tracker, copiesInState(copy), activation);
  const { leases, primaryTerm } = copy;
  copy.leases = { ...leases, primaryTerm };
  addOwnLease(copy);
  copy.onGlobalCheckpoint();
}

/**
 * Promotes a started replica, in this order while no operation runs:
 *
 * 1. Raise the term. Operations of the old primary are rejected from now on (INV-REPL-4).
 * 2. Put the running batch into the translog, and begin a generation under the new term.
 * 3. Re-apply rolled-back operations: some may be acknowledged (INV-REPL-9). A no-op in their place would be their
 *    loss, so before step 4.
 * 4. Close gaps, so that the local checkpoint reaches the end of the history.
 * 5. Sync: the activation counts this copy's persisted checkpoint.
 * 6. Activate, and add missing leases of the in-sync copies.
 *
 * Operations go on while the other copies are resynced; the primary role stays here until the resync has reached them
 * (INV-REPL-10).
 */
export async function promote(copy: ShardCopy, primaryTerm: number): Promise<void> {
  await blockCopy(copy, async () => {
    if (copy.state === "CLOSED" || copy.tracker.mode !== "replica") return;
    const before = engineOf(copy);
    copy.primaryTerm = primaryTerm;
    before.primaryTerm = primaryTerm;
    guarded(before, () => {
      closeBatch(before);
      before.translog.roll(primaryTerm);
      restoreRolledBack(before, parserOf(copy));
    });
    const engine = await closeGaps(copy, before);
    guarded(engine, () => {
      // The old primary's value is not known: any operation so far may have been an update.
      engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, engine.tracker.maxSeqNo);
    });
    await guardedAsync(engine, () => engine.translog.sync());
    activateAsPrimary(copy, true);
    addLeasesOfPeers(copy);
  });
  if (copy.tracker.mode !== "primary") return;
  copy.worker.log("info", `[${copy.index}][${copy.shard}] is primary now, term [${primaryTerm}]`);
  await resync(copy);
}

/**
 * Resyncs the other copies. A primary whose resync fails is failed: the next one resyncs anew
 * (`IndexShard.updateShardState`).
 */
async function resync(copy: ShardCopy): Promise<void> {
  try {
    await resyncReplicas(copy);
  } catch (error) {
    // A node that stops cancels its requests to the cluster manager, and closes its copies itself.
    if (copy.worker.isStopped) return;
    copy.fail("exception during primary-replica resync", engineProblem(error));
  }
}

/** Reports the primary's own persisted checkpoint to its tracker, as a replica's answer does. */
export function noteOwnCheckpoint(copy: ShardCopy): void {
  if (copy.tracker.mode === "replica") return;
  const before = copy.tracker.globalCheckpoint;
  copy.tracker = reportCheckpoint(copy.tracker, copy.allocationId, persistedCheckpoint(copy));
  if (copy.tracker.globalCheckpoint !== before) copy.onGlobalCheckpoint();
}

/**
 * Renews the peer leases of in-sync copies and removes expired leases. `true`: they changed, and are to be synced.
 *
 * The peer lease of a copy that is not assigned stays for `index.soft_deletes.retention_lease.period`: the copy may
 * come back and recover by operations. It expires early when all copies are started, or when so much history would
 * cost more than a copy of the files.
 */
export function maintainLeases(copy: ShardCopy): boolean {
  if (copy.tracker.mode !== "primary") return false;
  const before = copy.leases;
  renewPeerLeases(copy);
  const engine = engineOf(copy);
  const rows = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  const nodes = rows.flatMap(({ nodeId, relocatingNodeId }) => [nodeId, relocatingNodeId]);
  const safe = safeCommit(engine.commits, copy.tracker.globalCheckpoint);
  const docs = engine.segments.reduce((sum, segment) => sum + liveCount(segment), 0);
  const expired = expireLeases(copy.leases, {
    nowMs: copy.worker.clock.nowMs(),
    periodMs: copy.service.settings.leasePeriodMs,
    primaryTerm: copy.primaryTerm,
    assignedPeerLeases: new Set(nodes.flatMap((id) => (id === undefined ? [] : [peerLeaseId(id)]))),
    allCopiesStarted: rows.every(isActive),
    minReasonableSeqNo: minReasonableSeqNo(safe?.localCheckpoint ?? -1, docs, 0.1),
  });
  if (expired !== undefined) {
    for (const lease of copy.leases.leases) {
      if (lease.source === peerLeaseSource || findLease(expired, lease.id) !== undefined) continue;
      traceLease(copy, lease, "expired");
    }
    copy.leases = expired;
  }
  return copy.leases !== before;
}

/**
 * Moves each peer lease to behind the global checkpoint that its copy has persisted: after a power cut the copy
 * recovers from there. A lease never moves back.
 */
function renewPeerLeases(copy: ShardCopy): void {
  const nowMs = copy.worker.clock.nowMs();
  const periodMs = copy.service.settings.leasePeriodMs;
  const rows = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  for (const { nodeId, allocationId } of rows) {
    const known = allocationId === undefined ? undefined : copy.tracker.copies.get(allocationId);
    if (nodeId === undefined || known?.inSync !== true) continue;
    const isOwn = allocationId === copy.allocationId;
    const { syncedGlobalCheckpoint } = engineOf(copy).translog;
    const checkpoint = isOwn ? syncedGlobalCheckpoint : known.globalCheckpoint;
    const lease = findLease(copy.leases, peerLeaseId(nodeId));
    const retainingSeqNo = Math.max(0, checkpoint + 1, lease?.retainingSeqNo ?? 0);
    if (lease === undefined) {
      addPeerLease(copy, nodeId, retainingSeqNo);
    } else if (needsRenewal(lease, retainingSeqNo, { nowMs, periodMs })) {
      const renewed = { ...lease, retainingSeqNo, timestampMs: nowMs };
      setLeases(copy, renewLease(copy.leases, copy.primaryTerm, renewed));
    }
  }
}

/** Adds the primary's own lease, from which those of file-based recoveries are cloned. */
function addOwnLease(copy: ShardCopy): void {
  const nodeId = copy.routing.nodeId ?? copy.worker.nodeId;
  if (findLease(copy.leases, peerLeaseId(nodeId)) !== undefined) return;
  addPeerLease(copy, nodeId, Math.max(0, copy.tracker.globalCheckpoint + 1));
}

/** Adds the leases of in-sync copies that the old primary had not yet sent to this one. */
function addLeasesOfPeers(copy: ShardCopy): void {
  const rows = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  for (const { nodeId, allocationId } of rows) {
    if (nodeId === undefined || allocationId === undefined) continue;
    if (copy.tracker.copies.get(allocationId)?.inSync !== true) continue;
    if (findLease(copy.leases, peerLeaseId(nodeId)) !== undefined) continue;
    addPeerLease(copy, nodeId, Math.max(0, copy.tracker.globalCheckpoint + 1));
  }
}

/** Adds the peer lease of a node's copy. An existing lease is left as it is. */
export function addPeerLease(copy: ShardCopy, nodeId: string, retainingSeqNo: number): void {
  const id = peerLeaseId(nodeId);
  const timestampMs = copy.worker.clock.nowMs();
  const lease = { id, retainingSeqNo, timestampMs, source: peerLeaseSource };
  setLeases(copy, addLease(copy.leases, copy.primaryTerm, lease));
}

/**
 * Stores the leases that a change has produced, and returns the copy's leases. A rejected change leaves the leases as
 * they are, without an error. A change is rejected when the lease exists already, does not exist, or would retain more
 * than before.
 */
export function setLeases(copy: ShardCopy, outcome: LeaseOutcome): RetentionLeases {
  if (outcome.kind === "changed") copy.leases = outcome.leases;
  return copy.leases;
}
