/** Which failures pass by themselves, and the words of those that do not. */
import { OperationError, type Problem } from "@orrery/stdx";

/** Overload, connections, nodes and primaries that come back. What the other cluster refuses for good does not pass. */
export function isTransient({ status, isRetryable }: Problem): boolean {
  return isRetryable === true || status >= 500 || status === 429;
}

export function illegalState(reason: string): OperationError {
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

export function replicationProblem(reason: string, causedBy?: Problem): OperationError {
  const problem: Problem = { type: "replication_exception", reason, status: 500 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}

export function notInProgress(index: string): OperationError {
  const reason = `No replication in progress for index:${index}`;
  return new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

/** Lets pass what an operation failed with; anything else is a bug. */
export function problemIn(error: unknown): Problem {
  if (error instanceof OperationError) return error.problem;
  throw error;
}
