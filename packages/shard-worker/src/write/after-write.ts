/**
 * The work of a copy after operations were applied: sync, an internal refresh when the buffer is full, a flush or a
 * new generation when the translog has grown.
 */
import { flush, uncommitted } from "../engine/flush.ts";
import { guarded, guardedAsync } from "../engine/failure.ts";
import { refresh } from "../engine/refresh.ts";
import type { EngineState } from "../engine/types.ts";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { scheduleUpkeep } from "../copy/upkeep.ts";
import { ignoreOperationError } from "./ignore.ts";

/**
 * Refreshes if the indexing buffer exceeds its limit; flushes, or begins a translog generation, if the translog exceeds
 * one of its two. Arms the timers of upkeep. A flush runs in the background; the write does not wait for it.
 */
export function afterWrite(copy: ShardCopy): void {
  const { engine } = copy;
  if (engine === undefined || engine.isClosed) return;
  const { settings } = copy.service;
  engine.lastWriteMs = copy.worker.clock.monotonicMs();
  if (engine.writer.ramBytes + engine.heldBytes > settings.bufferBytes) {
    guarded(engine, () => refresh(engine, "internal"));
  }
  const translog = uncommitted(engine);
  if (translog.sizeBytes > settings.flushThresholdBytes && engine.flushing === undefined) {
    engine.counters.flushPeriodic += 1;
    void flush(engine, { force: false, waitIfOngoing: true }).catch(ignoreOperationError);
  } else if (
    engine.translog.statsFrom(engine.translog.generation).sizeBytes >
    settings.generationThresholdBytes
  ) {
    guarded(engine, () => engine.translog.roll(engine.primaryTerm));
  }
  scheduleUpkeep(copy);
}

/**
 * Syncs the translog if `index.translog.durability` is `request`, then calls `afterWrite`. The sync does not wait for
 * replicas, so a slow replica cannot keep the primary from refreshing and flushing
 * (`TransportWriteAction.AsyncAfterWriteAction`).
 */
export async function persistOnPrimary(copy: ShardCopy, engine: EngineState): Promise<void> {
  if (copy.service.settings.isSyncedPerRequest) {
    await guardedAsync(engine, () => engine.translog.sync());
  }
  afterWrite(copy);
}
