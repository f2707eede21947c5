/**
 * The periodic work of a started copy: refresh, asynchronous translog sync, flush when idle, sync of checkpoints and
 * leases (`IndexService`).
 */
import { guarded, guardedAsync } from "../engine/failure.ts";
import { flush, hasUncommitted } from "../engine/flush.ts";
import { isRefreshNeeded, refresh } from "../engine/refresh.ts";
import type { EngineState } from "../engine/types.ts";
import { ignoreOperationError } from "../write/ignore.ts";
import {
  isGlobalCheckpointSyncNeeded,
  persistCheckpoint,
  mayCheckpointsHaveMoved,
  syncGlobalCheckpoint,
  syncLeases,
} from "../write/lease-sync.ts";
import { maintainLeases } from "./primary-mode.ts";
import type { ShardCopy } from "./shard-copy.ts";
import { arm } from "./timers.ts";

const INACTIVE_FLUSH_MS = 300_000;
/** Long enough for the next write to carry the checkpoint to the replicas. */
const CHECKPOINT_SYNC_DELAY_MS = 100;

/**
 * Arms the timers for work that operations leave behind: refresh, sync of the translog, flush of an inactive copy.
 * Called after operations.
 */
export function scheduleUpkeep(copy: ShardCopy): void {
  const { settings } = copy.service;
  const { engine } = copy;
  if (engine === undefined) return;
  if (isRefreshNeeded(engine))
    arm(copy, "refresh", settings.refreshIntervalMs, () => scheduledRefresh(copy));
  if (!settings.isSyncedPerRequest && engine.translog.isSyncNeeded) {
    arm(copy, "sync", settings.syncIntervalMs, () => void syncTranslog(copy));
  }
  arm(copy, "flush", INACTIVE_FLUSH_MS, () => flushWhenInactive(copy));
}

/**
 * Refreshes, unless the shard is search-idle (`IndexShard.scheduledRefresh`): without searches for
 * `index.search.idle.after`, and with no refresh interval set, the next search refreshes instead. A write that waits
 * for a refresh keeps the shard from idling.
 */
function scheduledRefresh(copy: ShardCopy): void {
  const { engine, service } = copy;
  if (engine === undefined || engine.isClosed || !isRefreshNeeded(engine)) return;
  const idleMs = copy.worker.clock.monotonicMs() - copy.lastSearchMs;
  const { isRefreshIntervalSet, searchIdleAfterMs } = service.settings;
  const isIdle = !isRefreshIntervalSet && idleMs > searchIdleAfterMs;
  if (isIdle && engine.refreshListeners.length === 0) copy.isRefreshPending = true;
  else guarded(engine, () => refresh(engine, "external"));
}

/** Records the time of a search or a get by id. On a search-idle copy with a skipped refresh, refreshes first. */
export function noteSearch(copy: ShardCopy, engine: EngineState): void {
  copy.lastSearchMs = copy.worker.clock.monotonicMs();
  if (!copy.isRefreshPending) return;
  copy.isRefreshPending = false;
  engine.counters.searchIdleReactivations += 1;
  guarded(engine, () => refresh(engine, "external"));
}

/** Syncs the copy's current engine: a roll-back may have replaced the one that was written to. */
async function syncTranslog({ engine }: ShardCopy): Promise<void> {
  if (engine === undefined || engine.isClosed) return;
  await guardedAsync(engine, () => engine.translog.sync()).catch(ignoreOperationError);
}

/**
 * Flushes after five minutes without operations (`indices.memory.shard_inactive_time`): the next start replays
 * nothing.
 */
function flushWhenInactive(copy: ShardCopy): void {
  const { engine } = copy;
  if (engine === undefined || engine.isClosed || !hasUncommitted(engine)) return;
  const inactiveMs = copy.worker.clock.monotonicMs() - engine.lastWriteMs;
  if (inactiveMs < INACTIVE_FLUSH_MS) {
    arm(copy, "flush", INACTIVE_FLUSH_MS - inactiveMs, () => flushWhenInactive(copy));
    return;
  }
  engine.counters.flushPeriodic += 1;
  void flush(engine, { force: false, waitIfOngoing: true }).catch(ignoreOperationError);
}

/** Arms a timer that sends the global checkpoint to the replicas, unless an operation has carried it by then. */
export function scheduleCheckpointSync(copy: ShardCopy): void {
  if (!isGlobalCheckpointSyncNeeded(copy)) return;
  arm(copy, "checkpoint", CHECKPOINT_SYNC_DELAY_MS, () => {
    if (isGlobalCheckpointSyncNeeded(copy))
      void syncGlobalCheckpoint(copy).catch(ignoreOperationError);
  });
}

/** Arms the timer for the periodic upkeep of a primary. The timer arms itself again until the copy is closed. */
export function startPrimaryUpkeep(copy: ShardCopy): void {
  arm(copy, "primary", copy.service.settings.leaseSyncMs, () => {
    if (copy.tracker.mode === "primary" && copy.state === "STARTED") {
      void upkeepAsPrimary(copy).catch(ignoreOperationError);
    }
    startPrimaryUpkeep(copy);
  });
}

async function upkeepAsPrimary(copy: ShardCopy): Promise<void> {
  if (isGlobalCheckpointSyncNeeded(copy) || mayCheckpointsHaveMoved(copy))
    await syncGlobalCheckpoint(copy);
  else await persistCheckpoint(copy);
  if (maintainLeases(copy) || copy.areLeasesUnsynced) await syncLeases(copy);
}
