/** Requests to the elected cluster manager (`ShardStateAction`), retried until one applies or rejects them. */
import { actions, ShardFailedRequest, ShardStartedRequest, wireProblem } from "@orrery/protocol";
import { delay } from "@orrery/ports";
import { OperationError, type Problem } from "@orrery/stdx";
import type { WorkerContext } from "./context.ts";
import type { ShardCopy } from "./copy/shard-copy.ts";

const RETRY_AFTER_MS = 1000;
/**
 * Time without an answer after which a request is sent again: a message may get lost although both nodes are well and
 * connected. Tasks are idempotent.
 */
const RESEND_AFTER_MS = 30_000;

/**
 * Sends a request to the cluster manager; resolves when the manager has applied it. A manager that changed, is missing
 * or is busy is asked again, without a limit.
 * @throws OperationError The rejection, or `node_closed_exception` when `isGivenUp` is true or the worker has stopped.
 */
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
        timeoutMs: RESEND_AFTER_MS,
      });
    } catch (error) {
      if (!(error instanceof OperationError) || !isWorthRepeating(error.problem)) throw error;
      await worker.stateWhen((state) => state.managerNodeId !== manager, RETRY_AFTER_MS);
    }
  }
}

/**
 * Reports a recovered copy to the cluster manager, repeatedly until a manager applies or rejects the report, or the copy
 * leaves POST_RECOVERY. At most one report of a copy is in flight.
 */
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
  /** The routing table says that the copy is started, or no longer has it. */
  const isOver = (): boolean => copy.state !== "POST_RECOVERY";
  void askManager(worker, actions.shardStarted, payload, isOver)
    .catch((error: unknown) => {
      // A rejection: the state with the reason is on its way, and `reconcile` acts on it.
      if (!(error instanceof OperationError)) throw error;
    })
    .finally(() => {
      copy.isSendingStarted = false;
    });
}

/** A copy that failed, as it or its primary reports it. */
export interface CopyFailure {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  /** Term of the reporting primary, which must still be the current one; 0 when a copy reports itself. */
  readonly primaryTerm: number;
  /** Whether the copy also leaves the in-sync set. */
  readonly markAsStale: boolean;
  readonly message: string;
  readonly problem: Problem | undefined;
}

/** Reports a failed copy; resolves when the cluster manager has applied the failure. Rejects as `askManager`. */
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

/** Waits on the worker's clock. */
export async function pause(worker: WorkerContext, ms: number): Promise<void> {
  await delay(worker.clock, ms);
}

/** Problems of a cluster manager that is gone, not elected, or did not answer. */
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
