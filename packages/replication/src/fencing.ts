/** Who may write where: the checks a copy makes before it takes an operation. Source: `TransportReplicationAction`. */
import type { Problem } from "@orrery/stdx";

export interface CopyIdentity {
  readonly isPrimary: boolean;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

/** What the sender believes. */
export interface AddressedCopy {
  readonly allocationId: string;
  readonly primaryTerm: number;
}

/** The primary's fence; `undefined` lets the operation in. */
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

/** The replica's fence: INV-REPL-4, a copy that has seen term t takes nothing of a lower one. */
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
