/**
 * A copy as primary: it computes the global checkpoint and owns the retention leases. Promotion raises the term, closes
 * gaps, and brings the other copies in line.
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
import { restoreHeld } from "../engine/held.ts";
import { closeBatch } from "../engine/operations.ts";
import { liveCount } from "../engine/segments.ts";
import { closeGaps } from "../recovery/close-gaps.ts";
import { parserOf } from "../write/apply.ts";
import { resyncReplicas } from "../write/resync.ts";
import { traceLease } from "./leases.ts";
import { copiesInState, engineOf, persistedCheckpoint, type ShardCopy } from "./shard-copy.ts";

/** The copy's engine is open, under the copy's primary term. */
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
 * A started replica becomes primary: no operation runs while its term rises. Operations go on while it resyncs the other copies; the
 * role stays here until that has reached them.
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
      restoreHeld(before, parserOf(copy));
    });
    const engine = await closeGaps(copy, before);
    guarded(engine, () => {
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

/** A primary whose resync has failed is no better than a lost one: the next primary resyncs anew. Source: `IndexShard.updateShardState`. */
async function resync(copy: ShardCopy): Promise<void> {
  try {
    await resyncReplicas(copy);
  } catch (error) {
    // A node that stops gives up what it asks of the cluster manager, and closes its copies.
    if (copy.worker.isStopped) return;
    copy.fail("exception during primary-replica resync", engineProblem(error));
  }
}

/** The primary's own progress counts as that of a copy. */
export function noteOwnCheckpoint(copy: ShardCopy): void {
  if (copy.tracker.mode === "replica") return;
  const before = copy.tracker.globalCheckpoint;
  copy.tracker = reportCheckpoint(copy.tracker, copy.allocationId, persistedCheckpoint(copy));
  if (copy.tracker.globalCheckpoint !== before) copy.onGlobalCheckpoint();
}

/** Peer leases follow the checkpoints; what nobody needs any more expires. `true`: they changed. */
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

function addOwnLease(copy: ShardCopy): void {
  const nodeId = copy.routing.nodeId ?? copy.worker.nodeId;
  if (findLease(copy.leases, peerLeaseId(nodeId)) !== undefined) return;
  addPeerLease(copy, nodeId, Math.max(0, copy.tracker.globalCheckpoint + 1));
}

/** A promoted copy may not know the leases of copies that the old primary had let in. */
function addLeasesOfPeers(copy: ShardCopy): void {
  const rows = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  for (const { nodeId, allocationId } of rows) {
    if (nodeId === undefined || allocationId === undefined) continue;
    if (copy.tracker.copies.get(allocationId)?.inSync !== true) continue;
    if (findLease(copy.leases, peerLeaseId(nodeId)) !== undefined) continue;
    addPeerLease(copy, nodeId, Math.max(0, copy.tracker.globalCheckpoint + 1));
  }
}

export function addPeerLease(copy: ShardCopy, nodeId: string, retainingSeqNo: number): void {
  const id = peerLeaseId(nodeId);
  const timestampMs = copy.worker.clock.nowMs();
  const lease = { id, retainingSeqNo, timestampMs, source: peerLeaseSource };
  setLeases(copy, addLease(copy.leases, copy.primaryTerm, lease));
}

/** A rejected change leaves the leases as they are: someone else made it first. */
export function setLeases(copy: ShardCopy, outcome: LeaseOutcome): RetentionLeases {
  if (outcome.kind === "changed") copy.leases = outcome.leases;
  return copy.leases;
}
