/**
 * Conversions between messages and the values of `replication`: retention leases, and the context that a primary
 * hands over.
 */
import type {
  HandoffRequest,
  RecoverOperationsRequest,
  RetentionLeaseSyncRequest,
} from "@orrery/protocol";
import type { PrimaryContext, RetentionLeases } from "@orrery/replication";
import { OperationError } from "@orrery/stdx";

type LeasesMessage = (
  | RecoverOperationsRequest
  | RetentionLeaseSyncRequest
  | HandoffRequest
)["leases"];

/**
 * Reads retention leases from a message.
 * @throws OperationError `stream_corrupted_exception`: the message has none.
 */
export function leasesOf(message: LeasesMessage): RetentionLeases {
  if (message === null) throw missing("retention leases");
  const { primaryTerm, version, leases } = message;
  return {
    primaryTerm,
    version,
    leases: leases.map(({ id, retainingSeqNo, timestampMs, source }) => ({
      id,
      retainingSeqNo,
      timestampMs,
      source,
    })),
  };
}

type ContextMessage = HandoffRequest["context"];

/** Converts the context of a hand-over to its message. */
export function wireContext({ copies, ...rest }: PrimaryContext): NonNullable<ContextMessage> {
  return {
    ...rest,
    copies: copies.map(([allocationId, state]) => ({ allocationId, ...state })),
  };
}

/**
 * Reads the context of a hand-over from a message.
 * @throws OperationError `stream_corrupted_exception`: the message has none.
 */
export function contextOf(message: ContextMessage): PrimaryContext {
  if (message === null) throw missing("primary context");
  const { stateVersion, globalCheckpoint, copies } = message;
  return {
    stateVersion,
    globalCheckpoint,
    copies: copies.map((copy) => {
      // Decoded messages have defaults on their prototype, which a spread leaves out.
      const { allocationId, localCheckpoint, inSync, tracked } = copy;
      const known = copy.globalCheckpoint;
      return [allocationId, { localCheckpoint, globalCheckpoint: known, inSync, tracked }];
    }),
  };
}

function missing(what: string): OperationError {
  const reason = `malformed message: it has no ${what}`;
  return new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
}
