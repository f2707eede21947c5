/**
 * Retention leases: promises to keep history from a sequence number on. Only a primary changes them; replicas take over
 * what it sends when that is newer. Source: `RetentionLeases`, `ReplicationTracker`, `RetentionLeaseActions`.
 */
import type { Problem } from "@orrery/stdx";

export interface RetentionLease {
  readonly id: string;
  readonly retainingSeqNo: number;
  readonly timestampMs: number;
  readonly source: string;
}

export interface RetentionLeases {
  readonly primaryTerm: number;
  readonly version: number;
  readonly leases: readonly RetentionLease[];
}

export type LeaseOutcome =
  | { readonly kind: "changed"; readonly leases: RetentionLeases }
  | { readonly kind: "rejected"; readonly error: Problem };

export const noLeases: RetentionLeases = { primaryTerm: 1, version: 0, leases: [] };
export const peerLeaseSource = "peer recovery";

export function peerLeaseId(nodeId: string): string {
  return `peer_recovery/${nodeId}`;
}

export function findLease(leases: RetentionLeases, id: string): RetentionLease | undefined {
  return leases.leases.find((lease) => lease.id === id);
}

export function addLease(
  before: RetentionLeases,
  primaryTerm: number,
  lease: RetentionLease,
): LeaseOutcome {
  if (findLease(before, lease.id) !== undefined) {
    const reason = `retention lease with ID [${lease.id}] already exists`;
    return rejected("retention_lease_already_exists_exception", reason, 400);
  }
  return changed(primaryTerm, before, [...before.leases, lease]);
}

export function renewLease(
  before: RetentionLeases,
  primaryTerm: number,
  lease: RetentionLease,
): LeaseOutcome {
  const existing = findLease(before, lease.id);
  if (existing === undefined) return notFound(lease.id);
  if (lease.retainingSeqNo < existing.retainingSeqNo) {
    const reason =
      `the current retention lease with [${lease.id}] is retaining a higher sequence number [${existing.retainingSeqNo}]` +
      ` than the new retaining sequence number [${lease.retainingSeqNo}] from [${lease.source}]`;
    return rejected("retention_lease_invalid_retaining_seq_no_exception", reason, 400);
  }
  const renewed = before.leases.map((other) => (other.id === lease.id ? lease : other));
  return changed(primaryTerm, before, renewed);
}

export function removeLease(
  before: RetentionLeases,
  primaryTerm: number,
  id: string,
): LeaseOutcome {
  if (findLease(before, id) === undefined) return notFound(id);
  return changed(
    primaryTerm,
    before,
    before.leases.filter((lease) => lease.id !== id),
  );
}

/** A lease for a new copy that retains what another one does. */
export function cloneLease(
  before: RetentionLeases,
  primaryTerm: number,
  clone: { readonly from: string; readonly to: string; readonly nowMs: number },
): LeaseOutcome {
  const source = findLease(before, clone.from);
  if (source === undefined) return notFound(clone.from);
  return addLease(before, primaryTerm, { ...source, id: clone.to, timestampMs: clone.nowMs });
}

/** True when `a` was made after `b`. */
export function supersedes(a: RetentionLeases, b: RetentionLeases): boolean {
  if (a.primaryTerm !== b.primaryTerm) return a.primaryTerm > b.primaryTerm;
  return a.version > b.version;
}

/** The lowest sequence number that some lease retains; `undefined` without leases. */
export function retainedFrom(leases: RetentionLeases): number | undefined {
  if (leases.leases.length === 0) return undefined;
  return leases.leases.reduce((low, lease) => Math.min(low, lease.retainingSeqNo), Infinity);
}

export interface LeaseContext {
  readonly nowMs: number;
  readonly periodMs: number;
  readonly primaryTerm: number;
  /** Lease ids of the nodes that hold an assigned copy. */
  readonly assignedPeerLeases: ReadonlySet<string>;
  readonly allCopiesStarted: boolean;
  /** A lease below this retains so much that a file-based recovery is cheaper. */
  readonly minReasonableSeqNo: number;
}

/** What a primary drops from time to time; `undefined`: nothing. */
export function expireLeases(
  before: RetentionLeases,
  context: LeaseContext,
): RetentionLeases | undefined {
  const kept = before.leases.filter((lease) => !isExpired(lease, context));
  if (kept.length === before.leases.length) return undefined;
  return { primaryTerm: context.primaryTerm, version: before.version + 1, leases: kept };
}

function isExpired(lease: RetentionLease, context: LeaseContext): boolean {
  if (lease.source === peerLeaseSource) {
    if (context.assignedPeerLeases.has(lease.id)) return false;
    if (context.allCopiesStarted) return true;
    if (lease.retainingSeqNo < context.minReasonableSeqNo) return true;
  }
  return context.nowMs - lease.timestampMs > context.periodMs;
}

/** Which peer leases to renew: half the period has passed, or the copy's global checkpoint moved on. */
export function needsRenewal(
  lease: RetentionLease,
  retainingSeqNo: number,
  { nowMs, periodMs }: { readonly nowMs: number; readonly periodMs: number },
): boolean {
  return nowMs - lease.timestampMs > periodMs / 2 || lease.retainingSeqNo < retainingSeqNo;
}

/** Below this, replaying operations costs more than copying files. */
export function minReasonableSeqNo(
  safeCommitCheckpoint: number,
  docs: number,
  fileBasedThreshold: number,
): number {
  return safeCommitCheckpoint + 1 - Math.ceil(docs * fileBasedThreshold);
}

function changed(
  primaryTerm: number,
  before: RetentionLeases,
  leases: readonly RetentionLease[],
): LeaseOutcome {
  return { kind: "changed", leases: { primaryTerm, version: before.version + 1, leases } };
}

function notFound(id: string): LeaseOutcome {
  const reason = `retention lease with ID [${id}] not found`;
  return rejected("retention_lease_not_found_exception", reason, 404);
}

function rejected(type: string, reason: string, status: number): LeaseOutcome {
  return { kind: "rejected", error: { type, reason, status } };
}
