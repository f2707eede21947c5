/**
 * Gaps in the sequence numbers of a new primary: numbers that the old one assigned to operations which never arrived
 * here (`IndexShard.fillSeqNoGaps`). A gap would hold back the local checkpoint for ever.
 */
import { closeBatch } from "../engine/operations.ts";
import { fillGaps } from "../engine/open.ts";
import { guarded } from "../engine/failure.ts";
import type { EngineState } from "../engine/types.ts";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { rollBack } from "./roll-back.ts";

/**
 * Closes gaps in the sequence numbers of a copy that becomes primary. Returns the engine in use afterwards.
 * A gap is filled with a no-op: this copy was in-sync, so an acknowledged operation would be on it. If another cluster
 * assigns the numbers (cross-cluster replication), the operation may exist there, and a no-op would displace it; such a
 * copy rolls back to its processed checkpoint, and fetches the later operations again.
 */
export async function closeGaps(copy: ShardCopy, engine: EngineState): Promise<EngineState> {
  const isForeign = copy.worker.plugins.some((plugin) => plugin.hasForeignHistory?.(copy) === true);
  if (!isForeign) {
    guarded(engine, () => fillGaps(engine, copy.primaryTerm));
    return engine;
  }
  guarded(engine, () => closeBatch(engine));
  if (engine.tracker.gaps().length === 0) return engine;
  copy.engine = engine;
  await rollBack(copy, engine.tracker.processedCheckpoint, "discarded");
  return engineOf(copy);
}
