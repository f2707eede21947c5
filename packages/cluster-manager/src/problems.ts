/** Problems of the elected cluster manager and of those who look for one, in the product's words. */
import { formatDuration, OperationError, type Problem } from "@orrery/stdx";

export function notDiscovered(cause?: Problem): OperationError {
  const problem: Problem = {
    type: "cluster_manager_not_discovered_exception",
    reason: cause === undefined ? null : `${cause.type}: ${cause.reason}`,
    status: 503,
  };
  return new OperationError(cause === undefined ? problem : { ...problem, causedBy: cause });
}

export function notElected(reason: string): OperationError {
  return new OperationError({
    type: "not_cluster_manager_exception",
    reason,
    status: 503,
    isRetryable: true,
  });
}

/** A proposal whose fate is not known here: it may yet be committed, so whoever retries names it by its id. */
export function notCommitted(source: string): OperationError {
  return new OperationError({
    type: "failed_to_commit_cluster_state_exception",
    reason: `publication of [${source}] was lost with the elected cluster manager`,
    status: 503,
    isRetryable: true,
  });
}

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

/** The elected cluster manager did not answer, or is none any more; asking again is safe and useful. */
export function isLostWithManager(problem: Problem): boolean {
  return lostWithManager.has(problem.type);
}

/** For what is tried again while it is still needed: what was refused or lost is no news, anything else is a fault. */
export function ignoreProblem(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}
