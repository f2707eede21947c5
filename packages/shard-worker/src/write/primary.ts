/**
 * A write at the copy that the coordinating node took for the primary
 * (`TransportReplicationAction.AsyncPrimaryAction`): fenced, carried out, or forwarded after a hand-over.
 */
import { detached, type RequestContext } from "@orrery/ports";
import { actions, BulkShardRequest } from "@orrery/protocol";
import { fencePrimary } from "@orrery/replication";
import { OperationError } from "@orrery/stdx";
import { scheduleCheckpointSync } from "../copy/upkeep.ts";
import { illegalState, shardName, shardNotFound, type ShardCopy } from "../copy/shard-copy.ts";
import { bulkOnPrimary } from "./bulk.ts";

/**
 * Carries a write out under a permit. The fence is checked again with the permit: a promotion or a hand-over may have
 * come while the write waited.
 * @throws OperationError `shard_not_found_exception`, retryable: the coordinating node looks the primary up again. Also
 *   the problems of `bulkOnPrimary`.
 */
export async function writeOnPrimary(
  copy: ShardCopy,
  request: BulkShardRequest,
  context: RequestContext,
): Promise<Uint8Array> {
  checkFence(copy, request);
  const release = copy.permits.tryAcquire() ?? (await copy.permits.acquire());
  try {
    checkFence(copy, request);
    if (copy.tracker.mode !== "relocated") return await bulkOnPrimary(copy, { request, context });
  } finally {
    release();
    // No later write carries the global checkpoint that this one has raised.
    if (copy.permits.active === 0 && copy.state === "STARTED") scheduleCheckpointSync(copy);
  }
  return forwardToNewPrimary(copy, request, context);
}

/** Rejects a write that names another allocation id or primary term (`fencePrimary`). */
function checkFence(copy: ShardCopy, request: BulkShardRequest): void {
  if (copy.state === "CLOSED") throw new OperationError(shardNotFound(copy));
  const { allocationId, primaryTerm, routing } = copy;
  const problem = fencePrimary(
    { isPrimary: routing.primary, allocationId, primaryTerm },
    request,
    shardName(copy),
  );
  if (problem === undefined) return;
  throw new OperationError(shardNotFound(copy, problem.causedBy));
}

/** Sends the write to the relocation target, which is primary already, although no cluster state says so yet. */
async function forwardToNewPrimary(
  copy: ShardCopy,
  request: BulkShardRequest,
  context: RequestContext,
): Promise<Uint8Array> {
  const { relocatingNodeId, relocationId } = copy.routing;
  if (relocatingNodeId === undefined || relocationId === undefined) {
    throw new OperationError(illegalState(copy));
  }
  const payload = BulkShardRequest.encode({ ...request, allocationId: relocationId }).finish();
  return copy.worker.endpoint.request(relocatingNodeId, actions.bulkShard, payload, {
    shard: copy.key,
    channel: "bulk",
    context: detached(context),
    // By then the coordinating node has given up; without a time-out an unanswered write would hold its place in the
    // pool for ever.
    timeoutMs: request.timeoutMs + FORWARD_TIMEOUT_MS,
  });
}

/** Beyond the write's own time-out: a write that may wait no longer may still be under way. */
const FORWARD_TIMEOUT_MS = 60_000;
