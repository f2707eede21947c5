/**
 * What a copy holds that its primary may not have: it was taken back to the global checkpoint, and what came after lies in the
 * translog still.
 */
import { flush } from "./flush.ts";
import { applyOperation, closeBatch, type ParseOperation } from "./operations.ts";
import type { EngineState } from "./types.ts";

/**
 * A copy that becomes the primary takes it up: acknowledged operations may be among it. Source:
 * `Engine.restoreLocalHistoryFromTranslog`.
 */
export function restoreHeld(engine: EngineState, parse: ParseOperation): void {
  const { held } = engine;
  if (held === undefined) return;
  engine.held = undefined;
  for (const operation of held.operations) {
    if (engine.tracker.hasProcessed(operation.seqNo)) continue;
    engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, operation.seqNo);
    applyOperation(engine, operation, parse);
  }
  closeBatch(engine);
}

/**
 * The primary has sent all up to this number: what is held is not part of the history. Ends when a commit is durable whose translog
 * begins behind it, so that no restart takes it up. Source: `Translog.trimOperations`, `RecoveryTarget.finalizeRecovery`.
 */
export async function releaseHeld(engine: EngineState, upTo: number): Promise<void> {
  if (engine.held === undefined || engine.tracker.processedCheckpoint < upTo) return;
  engine.held = undefined;
  await flush(engine, { force: true, waitIfOngoing: true, isInternal: true });
}
