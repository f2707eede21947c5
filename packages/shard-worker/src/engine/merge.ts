/**
 * Merges of segments (`ConcurrentMergeScheduler`, `TieredMergePolicy`): in the background by the tiered policy, or on
 * request. One merge runs at a time, in short turns between other work. Operations that are retained as history
 * survive a merge although their documents are not live (`RecoverySourcePruneMergePolicy`, soft deletes).
 */
import {
  deadAfterMerge,
  DEFAULT_TIERED_MERGE_SETTINGS,
  deleteDocs,
  findExpungeMerges,
  findForcedMerges,
  findMerges,
  mergeInSteps,
  type MergeResult,
  type SegmentSize,
  type TieredMergeSettings,
} from "@orrery/segment";
import { createTurns } from "@orrery/ports";
import { assert, OperationError } from "@orrery/stdx";
import { alreadyClosed, assertOpen, failEngine } from "./failure.ts";
import { retainFrom } from "./retention.ts";
import { entryOf, liveCount, newSegmentName } from "./segments.ts";
import type { EngineState, SegmentEntry } from "./types.ts";

/** A turn of a merge; other work of the worker comes between two turns. */
const SLICE_MS = 5;

/** The goal of a forced merge: at most `maxSegments` segments, or no segment with many deleted documents. */
export type ForcedMerge = { readonly maxSegments: number } | { readonly onlyExpungeDeletes: true };

/**
 * Schedules a search for merges after the current turn, unless one is scheduled. Merges follow each other until the
 * policy finds none.
 */
export function planMerge(state: EngineState): void {
  if (state.isMergePlanned || state.isClosed || state.segments.length < 2) return;
  state.isMergePlanned = true;
  state.options.clock.setTimer(0, () => {
    void mergeInBackground(state).finally(() => {
      state.isMergePlanned = false;
    });
  });
}

/** A merge that fails closes the engine: no caller waits for this one. */
async function mergeInBackground(state: EngineState): Promise<void> {
  try {
    while (!state.isClosed && state.merging === undefined) {
      const [names] = findMerges(sizes(state), new Set(), settingsOf(state));
      if (names === undefined) return;
      await mergeNamed(state, names);
    }
  } catch (error) {
    failEngine(state, error);
  }
}

/**
 * Merges until the goal is reached. A running merge is awaited first, since a segment must not take part in two merges.
 * @throws OperationError The failure of the engine; `already_closed_exception` if the engine was closed without a
 *   failure.
 */
export async function forceMerge(state: EngineState, wanted: ForcedMerge): Promise<void> {
  assertOpen(state);
  for (;;) {
    while (state.merging !== undefined) await state.merging;
    // A closed copy counts as absent, so its problem is left out of the answer; the failure of a merge is reported.
    if (state.isClosed) throw new OperationError(state.failure ?? alreadyClosed(state));
    const [names] =
      "maxSegments" in wanted
        ? findForcedMerges(sizes(state), wanted.maxSegments)
        : findExpungeMerges(sizes(state), new Set(), settingsOf(state));
    if (names === undefined) return;
    await mergeNamed(state, names);
  }
}

/** Runs one merge. A failure closes the engine and does not reject: several requests may wait for the same merge. */
async function mergeNamed(state: EngineState, names: readonly string[]): Promise<void> {
  const running = runMerge(state, names).catch((error: unknown) => {
    failEngine(state, error);
  });
  state.merging = running;
  await running;
  state.merging = undefined;
}

/**
 * Merges named segments into a new one.
 *
 * `retained` is read once, at the beginning: the merge drops documents that are not live and have a lower sequence
 * number. Readers of the history that open during the merge keep the segments of before.
 */
async function runMerge(state: EngineState, names: readonly string[]): Promise<void> {
  const chosen = names.flatMap((name) => state.segments.find((one) => one.name === name) ?? []);
  assert(chosen.length === names.length, "a merge of segments that are not there");
  const { clock } = state.options;
  const startedMs = clock.monotonicMs();
  const retained = retainFrom(state);
  const name = newSegmentName(state);
  const steps = mergeInSteps(
    chosen.map(({ reader, live }) => ({ reader, liveDocs: live })),
    { name, parts: state.options.segmentParts, retainFromSeqNo: retained },
  );
  const docs = chosen.reduce((sum, { reader }) => sum + reader.maxDoc, 0);
  const bytes = chosen.reduce((sum, { reader }) => sum + reader.sizeBytes, 0);
  const { counters } = state;
  counters.mergeCurrent += 1;
  counters.mergeCurrentDocs += docs;
  counters.mergeCurrentBytes += bytes;
  try {
    const turns = createTurns(clock, SLICE_MS);
    for (;;) {
      const step = steps.next();
      // The files of a closed engine may belong to another copy.
      if (state.isClosed) return;
      if (step.done === true) {
        adopt(state, chosen, step.value, retained);
        break;
      }
      if (turns.isOver()) await turns.rest();
    }
  } finally {
    counters.mergeCurrent -= 1;
    counters.mergeCurrentDocs -= docs;
    counters.mergeCurrentBytes -= bytes;
  }
  counters.mergeTotal += 1;
  counters.mergeDocs += docs;
  counters.mergeBytes += bytes;
  counters.mergeMs += clock.monotonicMs() - startedMs;
}

/**
 * Replaces the merged segments, in one turn:
 *
 * 1. Raise `minRetainedSeqNo`: from the lowest retained number on the history is complete, and nothing above the
 *    newest operation of the chosen segments was dropped.
 * 2. Delete what was deleted in them since the merge began, by the maps from old to new document numbers.
 * 3. Move deletes that await a refresh to the new segment.
 * 4. Remember a merge that could drop nothing: the policy must not choose its result again for the same documents.
 */
function adopt(
  state: EngineState,
  chosen: readonly SegmentEntry[],
  merged: MergeResult,
  retained: number,
): void {
  const newest = chosen.reduce((max, { reader }) => Math.max(max, reader.maxSeqNo), -1);
  const before = state.minRetainedSeqNo;
  state.minRetainedSeqNo = Math.max(before, Math.min(retained, newest + 1));
  if (state.minRetainedSeqNo > before) state.options.onTrimmed(state.minRetainedSeqNo);
  const now = chosen.map(({ name }) => state.segments.find((one) => one.name === name));
  assert(
    now.every((one) => one !== undefined),
    "a segment left while it was merged",
  );
  const dead = deadAfterMerge(
    merged.docMaps,
    chosen.map(({ live }) => live),
    now.map((one) => one?.live),
  );
  let entry = entryOf(state, merged.image);
  if (dead.length > 0) entry = { ...entry, live: deleteDocs(entry.live, dead, entry.reader) };
  movePendingDeletes(state, entry.name, chosen, merged.docMaps);
  const dropped = chosen.reduce((sum, { reader }) => sum + reader.maxDoc, 0) - entry.reader.maxDoc;
  if (dropped === 0) state.fruitlessAt.set(entry.name, retained);
  for (const { name } of chosen) state.fruitlessAt.delete(name);
  replaceSegments(state, chosen, entry);
}

/** Renumbers documents that were deleted since the last refresh. Documents that the merge dropped need no delete. */
function movePendingDeletes(
  state: EngineState,
  name: string,
  chosen: readonly SegmentEntry[],
  docMaps: readonly Int32Array[],
): void {
  const moved: number[] = [];
  chosen.forEach((segment, i) => {
    for (const doc of state.pendingDeletes.get(segment.name) ?? []) {
      const next = docMaps[i]?.[doc] ?? -1;
      if (next >= 0) moved.push(next);
    }
    state.pendingDeletes.delete(segment.name);
  });
  if (moved.length > 0) state.pendingDeletes.set(name, moved);
}

/**
 * Puts the merged segment in the place of the first; an empty one is left out. Searches keep the old segments until
 * the next external refresh if they are behind already, since the merged segment may hold documents and deletes that
 * they must not see yet.
 */
function replaceSegments(
  state: EngineState,
  chosen: readonly SegmentEntry[],
  merged: SegmentEntry,
): void {
  const names = new Set(chosen.map(({ name }) => name));
  const isVisibleCurrent = state.visible === state.segments;
  const next: SegmentEntry[] = [];
  let isPlaced = merged.reader.maxDoc === 0;
  for (const segment of state.segments) {
    if (!names.has(segment.name)) next.push(segment);
    else if (!isPlaced) {
      next.push(merged);
      isPlaced = true;
    }
  }
  state.segments = next;
  if (isVisibleCurrent) state.visible = next;
}

/** The segments as the merge policy sees them. */
function sizes(state: EngineState): SegmentSize[] {
  const retained = retainFrom(state);
  return state.segments.map((segment) => ({
    name: segment.name,
    sizeBytes: segment.reader.sizeBytes,
    maxDoc: segment.reader.maxDoc,
    deletedDocs: reclaimable(state, segment, retained),
  }));
}

/**
 * Deleted documents that a merge could drop: none while the segment's whole history is retained, or after a merge
 * that dropped none for the same retained number.
 */
function reclaimable(state: EngineState, segment: SegmentEntry, retained: number): number {
  if (segment.reader.minSeqNo >= retained) return 0;
  if (state.fruitlessAt.get(segment.name) === retained) return 0;
  return segment.reader.maxDoc - liveCount(segment);
}

function settingsOf(state: EngineState): TieredMergeSettings {
  const { maxMergedSegmentBytes, segmentsPerTier } = state.options.settings();
  return { ...DEFAULT_TIERED_MERGE_SETTINGS, maxMergedSegmentBytes, segmentsPerTier };
}
