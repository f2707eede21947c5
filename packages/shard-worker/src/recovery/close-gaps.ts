/** A new primary may find numbers that were given out and never arrived. */
import { closeBatch } from "../engine/operations.ts";
import { fillGaps } from "../engine/open.ts";
import { guarded } from "../engine/failure.ts";
import type { EngineState } from "../engine/types.ts";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { rollBack } from "./roll-back.ts";

/**
 * No-ops take their place; where the numbers are another cluster's, what comes after the first of them is given up instead, and
 * comes again. Gives the engine to go on with.
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
  await rollBack(copy, engine.tracker.processedCheckpoint, "given up");
  return engineOf(copy);
}
