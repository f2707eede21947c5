/**
 * Fencing: the checks that a copy makes before it lets a write in (`TransportReplicationAction`, `IndexShard`).
 *
 * A sender addresses a copy by allocation id and primary term as in its own cluster state. The allocation id names
 * this copy and no later one of the same shard on the same node; the primary term orders primaries. Nodes apply
 * cluster states at different times, so either may be old, on both sides.
 */
import type { Problem } from "@orrery/stdx";

/** The identity of a copy, as the cluster state that its node has applied gives it. */
export interface CopyIdentity {
  readonly isPrimary: boolean;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

/** The identity of the copy that the sender of an operation addresses. */
export interface AddressedCopy {
  readonly allocationId: string;
  readonly primaryTerm: number;
}

/**
 * The fence in front of a primary; `undefined` lets the operation in, a problem has the sender look up the primary
 * again. The copy must be the primary, and have the addressed allocation id.
 *
 * The term must be equal: with a lower one the sender has not seen this promotion, with a higher one this node has
 * not applied its own next promotion. A primary that went on with a stale term would number operations in a
 * superseded term.
 */
export function fencePrimary(
  copy: CopyIdentity,
  addressed: AddressedCopy,
  shard: string,
): Problem | undefined {
  if (!copy.isPrimary) return notFound(shard, "actual shard is not a primary");
  if (copy.allocationId !== addressed.allocationId) {
    return notFound(
      shard,
      `expected allocation id [${addressed.allocationId}] but found [${copy.allocationId}]`,
    );
  }
  if (copy.primaryTerm !== addressed.primaryTerm) {
    return notFound(
      shard,
      `expected allocation id [${addressed.allocationId}] with term [${addressed.primaryTerm}] but found [${copy.primaryTerm}]`,
    );
  }
  return undefined;
}

/**
 * The fence in front of a replica; `undefined` lets the operation in. The copy must have the addressed allocation id.
 * INV-REPL-4: a copy that has seen term t rejects operations of lower terms, from which a deposed primary learns that it
 * is deposed. A higher term is let in: a replica learns of a new primary by it (`onNewTerm`).
 */
export function fenceReplica(
  copy: CopyIdentity,
  addressed: AddressedCopy,
  shard: string,
): Problem | undefined {
  if (copy.allocationId !== addressed.allocationId) {
    return notFound(
      shard,
      `expected allocation id [${addressed.allocationId}] but found [${copy.allocationId}]`,
    );
  }
  if (addressed.primaryTerm >= copy.primaryTerm) return undefined;
  return {
    type: "illegal_state_exception",
    reason: `${shard} operation primary term [${addressed.primaryTerm}] is too old (current [${copy.primaryTerm}])`,
    status: 500,
  };
}

/** Retryable: the cluster state that names the right copy may be on its way. */
function notFound(shard: string, reason: string): Problem {
  return {
    type: "shard_not_found_exception",
    reason: `no such shard`,
    status: 404,
    metadata: { shard },
    causedBy: { type: "illegal_state_exception", reason, status: 500 },
    isRetryable: true,
  };
}
