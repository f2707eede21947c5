/** The `refresh` parameter of a write: at once, with the next one, or not. */
import type { ShardCopy } from "../copy/shard-copy.ts";
import { scheduleUpkeep } from "../copy/upkeep.ts";
import { guarded } from "../engine/failure.ts";
import { awaitRefresh, refresh } from "../engine/refresh.ts";
import type { EngineState } from "../engine/types.ts";

/** `true`: a refresh was forced. */
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
  if (copy.blocks > 0) {
    guarded(engine, () => refresh(engine, "external"));
    return false;
  }
  // An idle shard refreshes again as soon as someone waits for it.
  copy.lastSearchMs = copy.worker.clock.monotonicMs();
  scheduleUpkeep(copy);
  return awaitRefresh(engine);
}
