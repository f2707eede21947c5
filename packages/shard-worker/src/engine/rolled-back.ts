/**
 * Operations that a copy has rolled back to the global checkpoint and keeps in its translog (INV-REPL-9): its primary
 * may lack them, and may fail before its resync has replaced them.
 */
import { flush } from "./flush.ts";
import { applyOperation, closeBatch, type ParseOperation } from "./operations.ts";
import type { EngineState } from "./types.ts";

/**
 * Re-applies rolled-back operations on a copy that becomes primary: some may be acknowledged, and no other copy may
 * have them (`Engine.restoreLocalHistoryFromTranslog`). They are recorded in the translog again, in the current
 * generation. Numbers that the failed primary's resync has replaced are skipped.
 */
export function restoreRolledBack(engine: EngineState, parse: ParseOperation): void {
  const { rolledBack } = engine;
  if (rolledBack === undefined) return;
  engine.rolledBack = undefined;
  for (const operation of rolledBack.operations) {
    if (engine.tracker.hasProcessed(operation.seqNo)) continue;
    engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, operation.seqNo);
    applyOperation(engine, operation, parse);
  }
  closeBatch(engine);
}

/**
 * Drops rolled-back operations when the primary has sent every operation up to `upTo` and this copy has processed
 * them; no effect before that. Resolves when a commit is durable whose translog begins behind them, so that no
 * restart replays them (`Translog.trimOperations`, `RecoveryTarget.finalizeRecovery`).
 */
export async function dropRolledBack(engine: EngineState, upTo: number): Promise<void> {
  if (engine.rolledBack === undefined || engine.tracker.processedCheckpoint < upTo) return;
  engine.rolledBack = undefined;
  await flush(engine, { force: true, waitIfOngoing: true, isInternal: true });
}
