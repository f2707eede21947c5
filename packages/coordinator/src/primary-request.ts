/**
 * One request to the primary of a shard, retried until its deadline: waits for an active primary, follows it when it
 * moves, and retries failures that are retryable. Source: `TransportReplicationAction.ReroutePhase`.
 */
import { activePrimary, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import { formatDuration, OperationError, type NodeId, type Problem } from "@orrery/stdx";
import type { CoordinatorDeps } from "./deps.ts";
import { shardKey, shardName } from "./shard-key.ts";

/** A request to the primary of a shard, whichever copy has that role. The index is identified by its uuid. */
export interface PrimaryRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly action: string;
  readonly timeoutMs: number;
  /**
   * Encodes the request for one attempt; `attempt` counts from 0. Called anew each time, because allocation id and
   * primary term may have changed.
   */
  readonly encode: (primary: Primary, attempt: number) => Uint8Array;
}

/** The active primary as of one cluster state: its node, and the allocation id and primary term that the request must carry. */
export interface Primary {
  readonly nodeId: NodeId;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

/** Pause before a retry without a new cluster state: a closed link may be re-established without one. */
const RETRY_AFTER_MS = 100;

/**
 * Sends the request to the primary and returns its response. Rejects at once with a problem that is not retryable, with
 * a 429 (unless an earlier attempt may have been applied), and with `index_not_found_exception` when the index, by
 * uuid, is gone; at the deadline with the problem of the last attempt, or `unavailable_shards_exception` without an
 * active primary.
 */
export async function askPrimary(
  deps: CoordinatorDeps,
  request: PrimaryRequest,
): Promise<Uint8Array> {
  const deadline = deps.clock.monotonicMs() + request.timeoutMs;
  /**
   * Problem of an earlier attempt whose outcome is unknown. The operation may have been applied, so a 429 of a later
   * attempt must not be reported as "nothing was done".
   */
  let uncertain: Problem | undefined;
  for (let attempt = 0; ; attempt += 1) {
    const state = deps.state();
    const primary = findPrimary(state, request);
    let problem: Problem | undefined;
    if (primary !== undefined) {
      try {
        return await deps.transport.request(
          primary.nodeId,
          request.action,
          request.encode(primary, attempt),
          {
            shard: shardKey(request.indexUuid as never, request.shard),
            channel: "bulk",
          },
        );
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        problem = error.problem;
        if (!canRetry(problem, uncertain)) throw error;
        if (problem.status !== TOO_MANY_REQUESTS) uncertain = problem;
      }
    }
    const left = deadline - deps.clock.monotonicMs();
    if (left <= 0)
      throw new OperationError(problemToReport(problem, uncertain) ?? noPrimary(request));
    const wait = problem === undefined ? left : Math.min(left, RETRY_AFTER_MS);
    const isNewer = (next: ClusterState): boolean =>
      next.version > state.version || next.term > state.term;
    // Waiting for an active primary of this very shard avoids waking thousands of requests at each cluster state
    // version.
    const isWorthTrying = problem === undefined ? canProceed(request) : isNewer;
    await deps.stateWhen(isWorthTrying, wait);
  }
}

/** Matches a state with an active primary, or without the index: both end the wait. */
function canProceed(request: PrimaryRequest): (state: ClusterState) => boolean {
  const { index, indexUuid } = request;
  return (state) =>
    state.metadata.indices.get(index)?.uuid !== indexUuid ||
    findPrimary(state, request) !== undefined;
}

function findPrimary(state: ClusterState, request: PrimaryRequest): Primary | undefined {
  const index = state.metadata.indices.get(request.index);
  if (index === undefined || index.uuid !== request.indexUuid) throw indexGone(request);
  const copy: ShardRouting | undefined = activePrimary(state, request.index, request.shard);
  const primaryTerm = index.primaryTerms[request.shard];
  if (copy?.nodeId === undefined || copy.allocationId === undefined || primaryTerm === undefined)
    return undefined;
  return { nodeId: copy.nodeId, allocationId: copy.allocationId, primaryTerm };
}

const TOO_MANY_REQUESTS = 429;

/**
 * 429 is reported at once, so that the client can back off, unless an earlier attempt has an unknown outcome; any
 * other retryable problem is retried until the deadline.
 */
function canRetry({ status, isRetryable }: Problem, uncertain: Problem | undefined): boolean {
  if (status === TOO_MANY_REQUESTS) return uncertain !== undefined;
  return isRetryable === true;
}

/** The problem for the client: that of the last attempt, or, when this is 429, the earlier one whose outcome is unknown. */
function problemToReport(
  problem: Problem | undefined,
  uncertain: Problem | undefined,
): Problem | undefined {
  return problem?.status === TOO_MANY_REQUESTS ? uncertain : problem;
}

function noPrimary(request: PrimaryRequest): Problem {
  const shard = shardName(request.index, request.shard);
  const reason = `${shard} primary shard is not active Timeout: [${formatDuration(request.timeoutMs)}]`;
  return { type: "unavailable_shards_exception", reason, status: 503 };
}

function indexGone(request: PrimaryRequest): OperationError {
  const metadata = {
    index: request.index,
    "resource.id": request.index,
    "resource.type": "index_or_alias",
    index_uuid: request.indexUuid,
  };
  return new OperationError({
    type: "index_not_found_exception",
    reason: `no such index [${request.index}]`,
    status: 404,
    metadata,
  });
}
