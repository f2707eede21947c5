/**
 * The `refresh` parameter of a write (`WriteRequest.RefreshPolicy`): `true` at once, `wait_for` with the next
 * refresh, or `false`.
 */
import type { ShardCopy } from "../copy/shard-copy.ts";
import { scheduleUpkeep } from "../copy/upkeep.ts";
import { guarded } from "../engine/failure.ts";
import { awaitRefresh, refresh } from "../engine/refresh.ts";
import type { EngineState } from "../engine/types.ts";

/** Resolves when searches see the write; at once for `kind` `false`. `true`: this write caused the refresh. */
export async function refreshAfter(
  copy: ShardCopy,
  engine: EngineState,
  kind: string,
): Promise<boolean> {
  if (kind === "true") {
    guarded(engine, () => refresh(engine, "external"));
    return true;
  }
  if (kind !== "wait_for") return false;
  // A block waits for this write's permit, so the write must not wait for the refresh interval.
  if (copy.blocks > 0) {
    guarded(engine, () => refresh(engine, "external"));
    return false;
  }
  // Counts as a search: a search-idle shard would not refresh.
  copy.lastSearchMs = copy.worker.clock.monotonicMs();
  scheduleUpkeep(copy);
  return awaitRefresh(engine);
}
