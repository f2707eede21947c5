/** A write arrives: the copy checks that it is the primary that was meant, and passes it on when it has just moved. */
import { detached, type RequestContext } from "@orrery/ports";
import { actions, BulkShardRequest } from "@orrery/protocol";
import { fencePrimary } from "@orrery/replication";
import { OperationError } from "@orrery/stdx";
import { scheduleCheckpointSync } from "../copy/upkeep.ts";
import { illegalState, shardName, shardNotFound, type ShardCopy } from "../copy/shard-copy.ts";
import { bulkOnPrimary } from "./bulk.ts";

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
    if (copy.permits.active === 0 && copy.state === "STARTED") scheduleCheckpointSync(copy);
  }
  return passOn(copy, request, context);
}

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

/** The copy it moved to is primary already, whatever the sender's cluster state says. */
async function passOn(
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
    // Whoever sent it has gone by then; without an answer it would have a place in a pool for ever.
    timeoutMs: request.timeoutMs + PASSED_ON_MS,
  });
}

/** A write that may wait no longer may still be under way. */
const PASSED_ON_MS = 60_000;
