/**
 * Refresh: turns the indexing buffer into a segment and applies pending deletes (`InternalEngine.refresh`). An
 * external refresh makes both visible to searches; an internal one lets the engine look documents up, and frees the
 * buffer.
 */
import { createSegmentWriter, deleteDocs } from "@orrery/segment";
import { planMerge } from "./merge.ts";
import { entryOf, newSegmentName } from "./segments.ts";
import type { EngineState } from "./types.ts";

/**
 * Makes a segment of the indexing buffer; an `external` refresh also shows it to searches. Pending deletes are applied
 * first: they concern existing segments, of which the buffer is none yet. The version map is cleared last, when its
 * documents are in a segment.
 */
export function refresh(state: EngineState, kind: "internal" | "external"): void {
  if (state.isClosed) return;
  const startedMs = state.options.clock.monotonicMs();
  applyPendingDeletes(state);
  flushBuffer(state);
  forgetVersions(state);
  const tookMs = state.options.clock.monotonicMs() - startedMs;
  state.counters.refreshTotal += 1;
  state.counters.refreshMs += tookMs;
  if (kind === "external") makeVisible(state, tookMs);
  planMerge(state);
}

/** Whether an external refresh would change the segments that searches see. */
export function isRefreshNeeded(state: EngineState): boolean {
  return !state.writer.isEmpty || state.pendingDeletes.size > 0 || state.visible !== state.segments;
}

/** Shows the current segments to searches and resolves the writes that wait for that. */
function makeVisible(state: EngineState, tookMs: number): void {
  state.visible = state.segments;
  state.lastRefreshMs = state.options.clock.monotonicMs();
  state.counters.externalRefreshTotal += 1;
  state.counters.externalRefreshMs += tookMs;
  // No look-up since the last external refresh: the next appended documents need not be mapped.
  if (!state.hadLookups) state.isSafeAccess = false;
  state.hadLookups = false;
  const listeners = state.refreshListeners;
  state.refreshListeners = [];
  for (const listener of listeners) listener.done(false);
}

/** Gives segments with deletes new live docs; the lists that searches hold do not change. */
function applyPendingDeletes(state: EngineState): void {
  if (state.pendingDeletes.size === 0) return;
  const pending = state.pendingDeletes;
  state.pendingDeletes = new Map();
  state.segments = state.segments.map((segment) => {
    const docs = pending.get(segment.name);
    if (docs === undefined) return segment;
    return { ...segment, live: deleteDocs(segment.live, docs, segment.reader) };
  });
}

/** Makes the buffer the newest segment. */
function flushBuffer(state: EngineState): void {
  if (state.writer.isEmpty) return;
  const image = state.writer.flush(newSegmentName(state));
  state.writer = createSegmentWriter(state.options.segmentParts);
  state.segments = [...state.segments, entryOf(state, image)];
}

/**
 * Clears the version map: segments have its documents. Deletes become tombstones for `index.gc_deletes`, and for as
 * long as operations below them are missing.
 */
function forgetVersions(state: EngineState): void {
  const { clock, settings } = state.options;
  for (const [id, entry] of state.versions) {
    if (entry.isDeleted) state.tombstones.set(id, entry);
  }
  state.versions = new Map();
  state.unmappedDocs = 0;
  state.heldBytes = 0;
  const oldestMs = clock.monotonicMs() - settings().gcDeletesMs;
  for (const [id, entry] of state.tombstones) {
    const isOld = entry.atMs < oldestMs && entry.seqNo <= state.tracker.processedCheckpoint;
    if (isOld) state.tombstones.delete(id);
  }
}

/**
 * Resolves with the next external refresh; at once if no refresh is needed, and when the engine is closed. `true`: this
 * call refreshed, because `index.max_refresh_listeners` writes were waiting already (`RefreshListeners`).
 */
export function awaitRefresh(state: EngineState): Promise<boolean> {
  if (!isRefreshNeeded(state)) return Promise.resolve(false);
  if (state.refreshListeners.length >= state.options.settings().maxRefreshListeners) {
    refresh(state, "external");
    return Promise.resolve(true);
  }
  return new Promise((done) => {
    state.refreshListeners.push({ seqNo: state.tracker.maxSeqNo, done });
  });
}
