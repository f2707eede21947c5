/**
 * Refresh, flush and the check before an index is closed (`TransportReplicationAction`): the primary carries them
 * out, then every copy that receives its operations, recovering ones included.
 *
 * INV-REPL-11: operations that were acknowledged before a refresh began are visible on every copy that serves a
 * search after it has ended. A copy that is not tracked yet is refreshed when its recovery ends, after everything
 * that was written before.
 */
import {
  actions,
  readWireObject,
  ReplicaAdminRequest,
  ShardAdminRequest,
  ReplicatedAdminResponse,
  wireProblem,
} from "@orrery/protocol";
import { detached, type RequestContext } from "@orrery/ports";
import { OperationError, type JsonObject, type Problem } from "@orrery/stdx";
import { blockCopy } from "../copy/block.ts";
import { illegalState, type ShardCopy } from "../copy/shard-copy.ts";
import { acquireReplicaPermit, replicaAnswer } from "../write/replica-permit.ts";
import {
  isUnavailable,
  replicate,
  totalCopies,
  type ReplicationResult,
} from "../write/replicate.ts";
import { flushCopy, refreshCopy } from "./maintenance.ts";
import { verifyBeforeClose } from "./verify-before-close.ts";

/** One administrative action on primary and replicas. */
export interface ReplicatedAdmin {
  readonly action: string;
  readonly replicaAction: string;
  /** The action blocks all permits: no operation runs on the copy meanwhile. */
  readonly isExclusive: boolean;
  /** A copy on which the action fails leaves the in-sync set. */
  readonly mustReachAll: boolean;
  readonly run: (copy: ShardCopy, parameters: JsonObject) => Promise<void>;
}

/** The replicated actions. From each row a handler at the primary and one at the replicas are made. */
export const replicatedAdmin: readonly ReplicatedAdmin[] = [
  {
    action: actions.refreshShard,
    replicaAction: actions.refreshReplica,
    isExclusive: false,
    mustReachAll: false,
    run: refreshCopy,
  },
  {
    action: actions.flushShard,
    replicaAction: actions.flushReplica,
    isExclusive: false,
    mustReachAll: false,
    run: flushCopy,
  },
  {
    action: actions.verifyShardBeforeClose,
    replicaAction: actions.verifyReplicaBeforeClose,
    isExclusive: true,
    mustReachAll: true,
    run: verifyBeforeClose,
  },
];

type PrimaryRequest = ShardAdminRequest & { readonly context: RequestContext };

/**
 * Executes the action on the primary and replicates it, or forwards it to the new primary after a hand-over. The answer
 * counts copies as `_shards` does.
 */
export async function adminOnPrimary(
  what: ReplicatedAdmin,
  copy: ShardCopy,
  request: PrimaryRequest,
): Promise<Uint8Array> {
  const parameters = parametersOf(request);
  const result = await withPermits(copy, what.isExclusive, async () => {
    if (copy.tracker.mode === "relocated") return undefined;
    if (copy.tracker.mode !== "primary") throw new OperationError(illegalState(copy));
    await what.run(copy, parameters);
    return replicate(copy, {
      action: what.replicaAction,
      mustReachAll: what.mustReachAll,
      context: request.context,
      encode: (header) =>
        ReplicaAdminRequest.encode({ header, parameters: request.parameters }).finish(),
    });
  });
  return result === undefined ? forwardToNewPrimary(what, copy, request) : answerOf(copy, result);
}

/** Executes the action on a replica, under the primary term that the request names. */
export async function adminOnReplica(
  what: ReplicatedAdmin,
  copy: ShardCopy,
  request: ReplicaAdminRequest,
): Promise<Uint8Array> {
  const parameters = parametersOf(request);
  const release = await acquireReplicaPermit(copy, request.header);
  // The primary holds all its permits: no operation of its term comes between the release and the block.
  if (what.isExclusive) release();
  try {
    if (what.isExclusive) await blockCopy(copy, () => what.run(copy, parameters));
    else await what.run(copy, parameters);
    return replicaAnswer(copy);
  } finally {
    release();
  }
}

async function withPermits<T>(
  copy: ShardCopy,
  isExclusive: boolean,
  run: () => Promise<T>,
): Promise<T> {
  if (isExclusive) return blockCopy(copy, run);
  const release = copy.permits.tryAcquire() ?? (await copy.permits.acquire());
  try {
    return await run();
  } finally {
    release();
  }
}

/** Sends the request to the relocation target, which is primary already, although no cluster state says so yet. */
async function forwardToNewPrimary(
  what: ReplicatedAdmin,
  copy: ShardCopy,
  { context, ...request }: PrimaryRequest,
): Promise<Uint8Array> {
  const { relocatingNodeId, relocationId } = copy.routing;
  if (relocatingNodeId === undefined || relocationId === undefined)
    throw new OperationError(illegalState(copy));
  const payload = ShardAdminRequest.encode({ ...request, allocationId: relocationId }).finish();
  return copy.worker.endpoint.request(relocatingNodeId, what.action, payload, {
    shard: copy.key,
    channel: "bulk",
    context: detached(context),
  });
}

function answerOf(copy: ShardCopy, { successful, failures }: ReplicationResult): Uint8Array {
  const listed: readonly Problem[] = failures
    .map(({ problem }) => problem)
    .filter((problem) => !isUnavailable(problem));
  return ReplicatedAdminResponse.encode({
    total: totalCopies(copy),
    successful,
    failures: listed.map(wireProblem),
  }).finish();
}

/** The parameters of a request; empty when it has none. */
export function parametersOf({ parameters }: Pick<ShardAdminRequest, "parameters">): JsonObject {
  return parameters === null ? {} : (readWireObject(parameters) as JsonObject);
}
