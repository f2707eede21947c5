/**
 * Problems of recoveries, in OpenSearch's words, and their classes: a network problem and a delay are retried, others
 * fail the copy.
 */
import { formatDuration, type Problem } from "@orrery/stdx";

/**
 * The problem of a recovery whose source has an older cluster state than the target (`DelayRecoveryException`). The
 * target retries.
 */
export const delayRecovery: Problem = {
  type: "delay_recovery_exception",
  reason: "source node does not have the shard listed in its state as allocated on the node",
  status: 500,
};

/**
 * The problem of a relocation of a primary that is resyncing (`IndexShard.verifyRelocatingState`). The target retries.
 */
export const resyncUnderWay: Problem = {
  type: "illegal_index_shard_state_exception",
  reason:
    "CurrentState[STARTED] : primary relocation is forbidden while primary-replica resync is in progress",
  status: 404,
};

/** A problem of the connection or of a full queue, not of the request: the same message may be sent again. */
export function isNetworkProblem({ type, status }: Problem): boolean {
  return (
    status === 429 ||
    type === "node_not_connected_exception" ||
    type === "node_disconnected_exception" ||
    type === "connect_transport_exception" ||
    type === "node_closed_exception"
  );
}

/** The source is not ready: its cluster state is older than the target's, or its copy is being opened or replaced. */
export function isDelay({ type }: Problem): boolean {
  return (
    type === "delay_recovery_exception" ||
    type === "index_shard_closed_exception" ||
    type === "shard_not_found_exception" ||
    type === "illegal_index_shard_state_exception" ||
    type === "index_not_found_exception" ||
    type === "action_not_found_transport_exception" ||
    type === "already_closed_exception"
  );
}

/**
 * The problem of a recovery that its source or its target cancelled. A target that was not cancelled itself retries.
 */
export function cancelled(reason: string): Problem {
  const details = `recovery was cancelled reason [${reason}]`;
  return { type: "index_shard_closed_exception", reason: details, status: 500 };
}

/**
 * The problem of a history that lacks an operation from `from` to `to`, both included
 * (`MissingHistoryOperationsException`).
 */
export function missingHistory(from: number, to: number): Problem {
  const reason = `Not all operations between from_seqno [${from}] and to_seqno [${to}] found`;
  return { type: "missing_history_operations_exception", reason, status: 500 };
}

/** The problem of a recovery whose target received no step for `ms` milliseconds. */
export function noActivity(ms: number): Problem {
  const reason = `no activity after [${formatDuration(ms)}]`;
  return { type: "timeout_exception", reason, status: 500 };
}
