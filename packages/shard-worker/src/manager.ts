/** Requests to the elected cluster manager, repeated until one takes them. Source: `ShardStateAction`. */
import { actions, ShardFailedRequest, ShardStartedRequest, wireProblem } from "@orrery/protocol";
import { delay } from "@orrery/ports";
import { OperationError, type Problem } from "@orrery/stdx";
import type { WorkerContext } from "./context.ts";
import type { ShardCopy } from "./copy/shard-copy.ts";

const RETRY_AFTER_MS = 1000;
/** A message or its answer may have got lost although both nodes are well and connected: what is said twice is heard once. */
const ANSWER_PATIENCE_MS = 30_000;

/** Ends when the manager has applied it. Rejects with what the manager refuses, or when `isGivenUp` says so. */
export async function askManager(
  worker: WorkerContext,
  action: string,
  payload: Uint8Array,
  isGivenUp: () => boolean,
): Promise<Uint8Array> {
  for (;;) {
    if (worker.isStopped || isGivenUp()) throw new OperationError(givenUp(action));
    const manager = worker.state?.managerNodeId;
    if (manager === undefined) {
      await worker.stateWhen((state) => state.managerNodeId !== undefined, RETRY_AFTER_MS);
      continue;
    }
    try {
      return await worker.endpoint.request(manager, action, payload, {
        channel: "reg",
        timeoutMs: ANSWER_PATIENCE_MS,
      });
    } catch (error) {
      if (!(error instanceof OperationError) || !isWorthRepeating(error.problem)) throw error;
      await worker.stateWhen((state) => state.managerNodeId !== manager, RETRY_AFTER_MS);
    }
  }
}

/** Until the routing table says that the copy is started, or knows it no more. */
export function sendStarted(copy: ShardCopy, message: string): void {
  if (copy.isSendingStarted) return;
  copy.isSendingStarted = true;
  const { worker, index, indexUuid, shard, allocationId } = copy;
  const primaryTerm = copy.service.metadata.primaryTerms[shard] ?? 0;
  const payload = ShardStartedRequest.encode({
    index,
    indexUuid,
    shard,
    allocationId,
    primaryTerm,
    message,
  }).finish();
  const isOver = (): boolean => copy.state !== "POST_RECOVERY";
  void askManager(worker, actions.shardStarted, payload, isOver)
    .catch((error: unknown) => {
      // Refused: the state that says why is on its way, and the reconciler acts on it.
      if (!(error instanceof OperationError)) throw error;
    })
    .finally(() => {
      copy.isSendingStarted = false;
    });
}

export interface CopyFailure {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  /** 0: a copy speaks about itself. */
  readonly primaryTerm: number;
  readonly markAsStale: boolean;
  readonly message: string;
  readonly problem: Problem | undefined;
}

export async function sendFailed(
  worker: WorkerContext,
  failure: CopyFailure,
  isGivenUp: () => boolean,
): Promise<void> {
  const { problem, ...rest } = failure;
  const payload = ShardFailedRequest.encode({
    ...rest,
    problem: problem === undefined ? null : wireProblem(problem),
  }).finish();
  await askManager(worker, actions.shardFailed, payload, isGivenUp);
}

export async function pause(worker: WorkerContext, ms: number): Promise<void> {
  await delay(worker.clock, ms);
}

function isWorthRepeating({ type, isRetryable }: Problem): boolean {
  return (
    isRetryable === true ||
    type === "not_cluster_manager_exception" ||
    type === "failed_to_commit_cluster_state_exception" ||
    type === "node_closed_exception" ||
    type === "receive_timeout_transport_exception" ||
    type === "action_not_found_transport_exception"
  );
}

function givenUp(action: string): Problem {
  return { type: "node_closed_exception", reason: `[${action}] is no longer needed`, status: 500 };
}
