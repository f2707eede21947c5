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

/** What following ends with, as the product names it in the reason of an automatic pause: by its exception's class. */
const classes: ReadonlyMap<string, string> = new Map([
  ["cluster_block_exception", "org.opensearch.cluster.block.ClusterBlockException"],
  ["illegal_argument_exception", "java.lang.IllegalArgumentException"],
  ["illegal_state_exception", "java.lang.IllegalStateException"],
  ["index_closed_exception", "org.opensearch.indices.IndexClosedException"],
  ["index_not_found_exception", "org.opensearch.index.IndexNotFoundException"],
  ["mapper_parsing_exception", "org.opensearch.index.mapper.MapperParsingException"],
  ["no_such_remote_cluster_exception", "org.opensearch.transport.NoSuchRemoteClusterException"],
  ["resource_not_found_exception", "org.opensearch.ResourceNotFoundException"],
  [
    "retention_lease_invalid_retaining_seq_no_exception",
    "org.opensearch.index.seqno.RetentionLeaseInvalidRetainingSeqNoException",
  ],
  [
    "retention_lease_not_found_exception",
    "org.opensearch.index.seqno.RetentionLeaseNotFoundException",
  ],
  ["security_exception", "org.opensearch.OpenSearchSecurityException"],
]);

/** `where`: the index, or one shard of it. The trailing comma is the product's. */
export function pauseReason(where: string, { type, reason }: Problem): string {
  return `[${where} - ${classes.get(type) ?? type} - "${reason}"], `;
}

/** Lets pass what an operation failed with; anything else is a bug. */
export function problemIn(error: unknown): Problem {
  if (error instanceof OperationError) return error.problem;
  throw error;
}
