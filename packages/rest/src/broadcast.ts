/** Broadcast operations (refresh, flush, …): their parameters, and the response with counts and failures of shard copies. */
import { indicesOptions, withParameters, type IndicesOptions } from "@orrery/cluster-state";
import type { BroadcastRequest, ShardCounts } from "@orrery/node";
import { isJsonObject, lookup, type JsonObject } from "@orrery/stdx";
import { shardCounts } from "./documents/write-answer.ts";
import type { PrintableObject } from "./json/printable.ts";
import type { Answer } from "./operation.ts";
import type { IndexTargets, Parsed } from "./parameters.ts";
import { expressionsOf } from "./state-reading.ts";

/**
 * The indices of a broadcast: the comma-separated expressions of the path (`undefined`: all indices), under the options
 * of the parameters.
 */
export function broadcastRequest(
  index: string | undefined,
  query: Partial<Parsed<IndexTargets>>,
  defaults: IndicesOptions = indicesOptions.strictExpandOpenAndForbidClosed,
): BroadcastRequest {
  return { indices: expressionsOf(index), indicesOptions: withParameters(defaults, query) };
}

/** A response with `_shards` first. Its status is 200, unless every copy failed: then that of a failure. */
export function broadcastAnswer(shards: ShardCounts, body: PrintableObject = {}): Answer {
  return { status: statusOf(shards), body: { _shards: shardCounts(shards), ...body } };
}

/** Status 200, unless every copy failed: then the status of the first failure that carries one. */
function statusOf({ successful, failures }: ShardCounts): number {
  if (successful > 0 || failures.length === 0) return 200;
  return failures.map(statusOfFailure).find((status) => status !== undefined) ?? 500;
}

const STATUSES: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
};

function statusOfFailure(failure: JsonObject): number | undefined {
  const { status, reason } = failure;
  if (typeof status === "number") return status;
  if (typeof status === "string") return lookup(STATUSES, status);
  return isJsonObject(reason) && typeof reason["status"] === "number"
    ? reason["status"]
    : undefined;
}
