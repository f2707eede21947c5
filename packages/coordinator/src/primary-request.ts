/**
 * A request to the primary of a shard, wherever it is by now: waits for one, follows it when it moves, and gives up at
 * the deadline. Source: `TransportReplicationAction.ReroutePhase`.
 */
import { activePrimary, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import { formatDuration, OperationError, type NodeId, type Problem } from "@orrery/stdx";
import type { CoordinatorDeps } from "./deps.ts";
import { shardKey, shardName } from "./shard-key.ts";

export interface PrimaryRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly action: string;
  readonly timeoutMs: number;
  /** Called at each attempt, as the copy and its term may have changed. */
  readonly encode: (primary: Primary, attempt: number) => Uint8Array;
}

export interface Primary {
  readonly nodeId: NodeId;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

/** A lost link may come back without any new cluster state; how long to wait before it is tried again. */
const RETRY_AFTER_MS = 100;

export async function askPrimary(
  deps: CoordinatorDeps,
  request: PrimaryRequest,
): Promise<Uint8Array> {
  const deadline = deps.clock.monotonicMs() + request.timeoutMs;
  /** Of an earlier attempt that may have been carried out: a refusal of a later one does not mean that nothing was done. */
  let doubt: Problem | undefined;
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
        if (!canRetry(problem, doubt)) throw error;
        if (problem.status !== TOO_MANY_REQUESTS) doubt = problem;
      }
    }
    const left = deadline - deps.clock.monotonicMs();
    if (left <= 0) throw new OperationError(toTell(problem, doubt) ?? noPrimary(request));
    const wait = problem === undefined ? left : Math.min(left, RETRY_AFTER_MS);
    const isNews = (next: ClusterState): boolean =>
      next.version > state.version || next.term > state.term;
    // Of thousands that wait for a primary, each version makes few active: the others are not woken.
    const isWorthTrying = problem === undefined ? canProceed(request) : isNews;
    await deps.stateWhen(isWorthTrying, wait);
  }
}

/** There is a primary to ask, or an index no more to have one. */
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

/** A full queue is the client's to know at once, unless the client would take it for a promise that nothing was done; everything else that passes is waited out. */
function canRetry({ status, isRetryable }: Problem, doubt: Problem | undefined): boolean {
  if (status === TOO_MANY_REQUESTS) return doubt !== undefined;
  return isRetryable === true;
}

/** Of the last attempt; of an earlier one, where the last says that nothing was done. */
function toTell(problem: Problem | undefined, doubt: Problem | undefined): Problem | undefined {
  return problem?.status === TOO_MANY_REQUESTS ? doubt : problem;
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
