/** Problems of requests to the elected cluster manager, in the product's words, and which of them are retried. */
import { formatDuration, OperationError, type Problem } from "@orrery/stdx";

/** The error when no elected cluster manager answers within the timeout; `cause` is the last failure. */
export function notDiscovered(cause?: Problem): OperationError {
  const problem: Problem = {
    type: "cluster_manager_not_discovered_exception",
    reason: cause === undefined ? null : `${cause.type}: ${cause.reason}`,
    status: 503,
  };
  return new OperationError(cause === undefined ? problem : { ...problem, causedBy: cause });
}

/**
 * The retryable error of a node that is not the elected cluster manager, or whose term has ended. The request had no
 * effect.
 */
export function notElected(reason: string): OperationError {
  return new OperationError({
    type: "not_cluster_manager_exception",
    reason,
    status: 503,
    isRetryable: true,
  });
}

/**
 * The error of a proposal whose term ended while it was in flight. It may still be committed, so a retry must carry the
 * same task id.
 */
export function notCommitted(source: string): OperationError {
  return new OperationError({
    type: "failed_to_commit_cluster_state_exception",
    reason: `publication of [${source}] was lost with the elected cluster manager`,
    status: 503,
    isRetryable: true,
  });
}

/** The error of a task that was in the queue for longer than its timeout, and was removed. */
export function queueTimeout(source: string, timeoutMs: number): OperationError {
  return new OperationError({
    type: "process_cluster_event_timeout_exception",
    reason: `failed to process cluster event (${source}) within ${formatDuration(timeoutMs)}`,
    status: 503,
  });
}

const lostWithManager: ReadonlySet<string> = new Set([
  "not_cluster_manager_exception",
  "failed_to_commit_cluster_state_exception",
  "node_disconnected_exception",
  "node_not_connected_exception",
  "node_closed_exception",
  "receive_timeout_transport_exception",
  "task_cancelled_exception",
]);

/**
 * Whether the problem means that the cluster manager was lost or has changed, so that the request is retried at the
 * next one.
 */
export function isLostWithManager(problem: Problem): boolean {
  return lostWithManager.has(problem.type);
}

/** A rejection handler for proposals that are repeated while their reason holds: problems are dropped, bugs are rethrown. */
export function ignoreProblem(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}
