/**
 * Points in time on one copy (`CreatePitController`, `PitReaderContext`), made in two steps: a context with a short
 * keep-alive on each copy, then, when all are open, the id of the point in time and its keep-alive.
 */
import {
  CreateContextResponse,
  UpdateContextResponse,
  type CreateContextRequest,
  type UpdateContextRequest,
} from "@orrery/protocol";
import type { HandlerContext, RequestContext } from "@orrery/ports";
import type { JsonObject } from "@orrery/stdx";
import { segmentsJson } from "../admin/segments.ts";
import type { WorkerContext } from "../context.ts";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { isTheirs, ownerOf } from "./contexts.ts";
import { freshView } from "./views.ts";

/** Opens a context on the documents that are visible to searches now. */
export async function serveCreateContext(
  copy: ShardCopy,
  request: CreateContextRequest,
  asker: HandlerContext,
): Promise<Uint8Array> {
  const view = freshView(copy);
  const { id } = copy.worker.contexts.open(copy, {
    kind: "point-in-time",
    view,
    segments: engineOf(copy).visible,
    by: asker,
    keepAliveMs: request.keepAliveMs,
  });
  return CreateContextResponse.encode({ contextId: id }).finish();
}

/**
 * Executes the second step of opening a point in time: stores id and creation time of the point in time in one of its
 * contexts, and extends the context's keep-alive.
 */
export async function serveUpdateContext(
  worker: WorkerContext,
  request: UpdateContextRequest,
  asker: RequestContext,
): Promise<Uint8Array> {
  const used = { id: request.contextId, owner: ownerOf(asker) };
  return worker.contexts.use(used, async (context) => {
    worker.contexts.extend(context, request.keepAliveMs);
    context.pointInTime = { id: request.pitId, createdMs: request.createdMs };
    return UpdateContextResponse.encode({}).finish();
  });
}

/**
 * The points in time that have a context on this copy and that the request may see. With `segments`, each is listed
 * with the segments that it reads.
 */
export async function listPointsInTime(
  copy: ShardCopy,
  { segments }: JsonObject,
  asker: RequestContext,
): Promise<JsonObject> {
  const pits = copy.worker.contexts.of(copy).flatMap((context) => {
    const { pointInTime, keepAliveMs } = context;
    if (pointInTime === undefined || !isTheirs(context, asker)) return [];
    const { id, createdMs } = pointInTime;
    return [
      {
        id,
        created_ms: createdMs,
        keep_alive_ms: keepAliveMs,
        ...(segments === true ? { segments: segmentsJson(copy, context.segments) } : {}),
      },
    ];
  });
  return { pits };
}
