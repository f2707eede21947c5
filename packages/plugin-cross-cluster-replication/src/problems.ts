/** Classification of problems as transient or permanent, and the plugin's error messages. */
import { OperationError, type Problem } from "@orrery/stdx";

/**
 * Whether a retry may help: the problem is retryable, or has status 429 or 5xx, as overload, lost connections, nodes and
 * primaries that will be back. A refusal by the other cluster (4xx) is permanent.
 */
export function isTransient({ status, isRetryable }: Problem): boolean {
  return isRetryable === true || status >= 500 || status === 429;
}

/** Error of an operation that the state of a replication does not permit. */
export function illegalState(reason: string): OperationError {
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

/** Error of a failed replication, with its cause. */
export function replicationProblem(reason: string, causedBy?: Problem): OperationError {
  const problem: Problem = { type: "replication_exception", reason, status: 500 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}

/** Error for an index that is not replicated. */
export function notInProgress(index: string): OperationError {
  const reason = `No replication in progress for index:${index}`;
  return new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

/** Java class of a permanent failure, by type: the reason of an automatic pause names it. */
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

/**
 * One entry in the reason of an automatic pause; `where` is the index or one of its shards. The trailing comma is the
 * product's.
 */
export function pauseReason(where: string, { type, reason }: Problem): string {
  return `[${where} - ${classes.get(type) ?? type} - "${reason}"], `;
}

/** The problem of an `OperationError`; any other error is a bug and is rethrown. */
export function problemIn(error: unknown): Problem {
  if (error instanceof OperationError) return error.problem;
  throw error;
}
