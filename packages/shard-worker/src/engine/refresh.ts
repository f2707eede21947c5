/**
 * Turns the indexing buffer into a segment and applies the deletes that waited.
 *
 * An external refresh makes both visible to searches; an internal one only lets the engine look documents up.
 */
import { createSegmentWriter, deleteDocs } from "@orrery/segment";
import { planMerge } from "./merge.ts";
import { entryOf, newSegmentName } from "./segments.ts";
import type { EngineState } from "./types.ts";

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

export function isRefreshNeeded(state: EngineState): boolean {
  return !state.writer.isEmpty || state.pendingDeletes.size > 0 || state.visible !== state.segments;
}

/** Only what searches see changes, to what is already there. */
function makeVisible(state: EngineState, tookMs: number): void {
  state.visible = state.segments;
  state.lastRefreshMs = state.options.clock.monotonicMs();
  state.counters.externalRefreshTotal += 1;
  state.counters.externalRefreshMs += tookMs;
  // Without look-ups in between, the next documents need not be remembered one by one.
  if (!state.hadLookups) state.isSafeAccess = false;
  state.hadLookups = false;
  const listeners = state.refreshListeners;
  state.refreshListeners = [];
  for (const listener of listeners) listener.done(false);
}

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

function flushBuffer(state: EngineState): void {
  if (state.writer.isEmpty) return;
  const image = state.writer.flush(newSegmentName(state));
  state.writer = createSegmentWriter(state.options.segmentParts);
  state.segments = [...state.segments, entryOf(state, image)];
}

/** What a segment holds now is found there; deletes stay known for `index.gc_deletes`. */
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

/** Resolves at the next external refresh that shows this operation; `true` when it had to be forced. */
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
