/** Refresh, flush, force merge and clear cache of one copy. */
import type { JsonObject } from "@orrery/stdx";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { guarded } from "../engine/failure.ts";
import { flush } from "../engine/flush.ts";
import { forceMerge } from "../engine/merge.ts";
import { refresh } from "../engine/refresh.ts";

/** Runs an external refresh, and clears the mark of a refresh that search idle has skipped. */
export async function refreshCopy(copy: ShardCopy): Promise<void> {
  const engine = engineOf(copy);
  copy.isRefreshPending = false;
  guarded(engine, () => refresh(engine, "external"));
}

/** Flushes the copy. Parameters: `force` (default false) and `wait_if_ongoing` (default true). */
export async function flushCopy(copy: ShardCopy, parameters: JsonObject): Promise<void> {
  const force = parameters["force"] === true;
  const waitIfOngoing = parameters["wait_if_ongoing"] !== false;
  await flush(engineOf(copy), { force, waitIfOngoing });
}

/**
 * Merges to at most `max_num_segments` (default 1), or expunges deletes if `only_expunge_deletes` is set. Then
 * refreshes, and flushes unless `flush` is false.
 */
export async function forceMergeCopy(copy: ShardCopy, parameters: JsonObject): Promise<JsonObject> {
  const engine = engineOf(copy);
  guarded(engine, () => refresh(engine, "external"));
  const max = Number(parameters["max_num_segments"] ?? -1);
  if (parameters["only_expunge_deletes"] === true)
    await forceMerge(engine, { onlyExpungeDeletes: true });
  else await forceMerge(engine, { maxSegments: max > 0 ? max : 1 });
  guarded(engine, () => refresh(engine, "external"));
  if (parameters["flush"] !== false)
    await flush(engine, { force: false, waitIfOngoing: true, isInternal: true });
  return {};
}

/** Accepts the request of `_cache/clear`, which has no effect: copies have no caches. */
export async function clearCacheOfCopy(copy: ShardCopy): Promise<JsonObject> {
  engineOf(copy);
  return {};
}
