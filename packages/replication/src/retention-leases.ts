/**
 * Retention leases: requests to keep the history from a sequence number on. Only a primary changes them; replicas
 * take over what it sends when that is newer. Source: `RetentionLeases`, `ReplicationTracker`,
 * `RetentionLeaseActions`.
 *
 * Functions are pure: each change returns the next leases, or the problem for the client. INV-REPL-8 rests on them: a
 * merge or a trim drops no operation at or above `retainedFrom`.
 */
import type { Problem } from "@orrery/stdx";

/** A lease: one holder, one sequence number. */
export interface RetentionLease {
  readonly id: string;
  /** The first operation to keep. */
  readonly retainingSeqNo: number;
  /** Wall time of the last renewal, from which the lease expires. */
  readonly timestampMs: number;
  /** The kind of holder, `peerLeaseSource` for leases of copies. */
  readonly source: string;
}

/** All leases of a shard. Primary term and version order them: see `supersedes`. */
export interface RetentionLeases {
  readonly primaryTerm: number;
  /** One higher with each change, renewals included. */
  readonly version: number;
  readonly leases: readonly RetentionLease[];
}

export type LeaseOutcome =
  | { readonly kind: "changed"; readonly leases: RetentionLeases }
  | { readonly kind: "rejected"; readonly error: Problem };

/** The leases of a new shard. */
export const noLeases: RetentionLeases = { primaryTerm: 1, version: 0, leases: [] };
/** Source of the leases that let a copy recover by operations when it returns. */
export const peerLeaseSource = "peer recovery";

/**
 * The id of the peer-recovery lease of a node's copy. By node, not by allocation id: a copy that returns to its node
 * has a new one.
 */
export function peerLeaseId(nodeId: string): string {
  return `peer_recovery/${nodeId}`;
}

export function findLease(leases: RetentionLeases, id: string): RetentionLease | undefined {
  return leases.leases.find((lease) => lease.id === id);
}

/** Adds a lease; rejected if its id exists. */
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

/**
 * Replaces a lease; rejected if it does not exist, or if it would reach further back, where history may be dropped
 * already.
 */
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

/** Removes a lease; rejected if it does not exist. */
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

/**
 * Adds lease `to`, which retains the same history as lease `from`: a new copy, sent the files of a commit, needs what
 * the primary's own lease keeps. Rejected if `from` does not exist, or `to` does.
 */
export function cloneLease(
  before: RetentionLeases,
  primaryTerm: number,
  clone: { readonly from: string; readonly to: string; readonly nowMs: number },
): LeaseOutcome {
  const source = findLease(before, clone.from);
  if (source === undefined) return notFound(clone.from);
  return addLease(before, primaryTerm, { ...source, id: clone.to, timestampMs: clone.nowMs });
}

/** Whether `a` was made after `b`. The term decides first: versions of two primaries do not compare. */
export function supersedes(a: RetentionLeases, b: RetentionLeases): boolean {
  if (a.primaryTerm !== b.primaryTerm) return a.primaryTerm > b.primaryTerm;
  return a.version > b.version;
}

/** The lowest sequence number that a lease retains; `undefined` without leases. */
export function retainedFrom(leases: RetentionLeases): number | undefined {
  if (leases.leases.length === 0) return undefined;
  return leases.leases.reduce((low, lease) => Math.min(low, lease.retainingSeqNo), Infinity);
}

/** The circumstances in which leases expire, at the primary. */
export interface LeaseContext {
  readonly nowMs: number;
  /** Time after the last renewal at which a lease expires. */
  readonly periodMs: number;
  readonly primaryTerm: number;
  /** Lease ids of the nodes that hold an assigned copy. */
  readonly assignedPeerLeases: ReadonlySet<string>;
  /** No copy is unassigned or recovering, so no absent copy needs its lease any more. */
  readonly allCopiesStarted: boolean;
  /** A peer-recovery lease below this number retains so much that a file-based recovery is cheaper. */
  readonly minReasonableSeqNo: number;
}

/** The leases without those that have expired; `undefined` when none has. */
export function expireLeases(
  before: RetentionLeases,
  context: LeaseContext,
): RetentionLeases | undefined {
  const kept = before.leases.filter((lease) => !isExpired(lease, context));
  if (kept.length === before.leases.length) return undefined;
  return { primaryTerm: context.primaryTerm, version: before.version + 1, leases: kept };
}

/**
 * The lease of an assigned copy never expires, since the copy may need it to recover. Without an assigned copy a
 * peer-recovery lease expires early when it is of no use any more; all other leases expire by age.
 */
function isExpired(lease: RetentionLease, context: LeaseContext): boolean {
  if (lease.source === peerLeaseSource) {
    if (context.assignedPeerLeases.has(lease.id)) return false;
    if (context.allCopiesStarted) return true;
    if (lease.retainingSeqNo < context.minReasonableSeqNo) return true;
  }
  return context.nowMs - lease.timestampMs > context.periodMs;
}

/**
 * Whether a peer-recovery lease is due for renewal: more than half its period has passed, or `retainingSeqNo`, which
 * follows the copy's global checkpoint, is above the lease's number.
 */
export function needsRenewal(
  lease: RetentionLease,
  retainingSeqNo: number,
  { nowMs, periodMs }: { readonly nowMs: number; readonly periodMs: number },
): boolean {
  return nowMs - lease.timestampMs > periodMs / 2 || lease.retainingSeqNo < retainingSeqNo;
}

/**
 * The number below which replaying operations costs more than copying files: more than `fileBasedThreshold` times the
 * number of documents before the end of the safe commit (`index.recovery.file_based_threshold`).
 */
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
