/**
 * Combines segments: in the background by the tiered policy, one merge at a time in small steps between other work, or
 * because someone asked for fewer segments. Operations that recoveries may still ask for survive a merge although they
 * are not live.
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

/** How long a merge works before others get their turn. */
const SLICE_MS = 5;

export type ForcedMerge = { readonly maxSegments: number } | { readonly onlyExpungeDeletes: true };

/** Looks for merges soon, when nothing else is to be done; at most one look is planned at a time. */
export function planMerge(state: EngineState): void {
  if (state.isMergePlanned || state.isClosed || state.segments.length < 2) return;
  state.isMergePlanned = true;
  state.options.clock.setTimer(0, () => {
    void mergeInBackground(state).finally(() => {
      state.isMergePlanned = false;
    });
  });
}

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
 * Ends when there is nothing left to merge for what was asked.
 * @throws OperationError The failure that closed the engine meanwhile, as that of a merge; `already_closed_exception` when the engine was
 *   closed before, or closed without a failure.
 */
export async function forceMerge(state: EngineState, wanted: ForcedMerge): Promise<void> {
  assertOpen(state);
  for (;;) {
    while (state.merging !== undefined) await state.merging;
    // A copy that is closed counts as one that is not there; one that this request has failed is told.
    if (state.isClosed) throw new OperationError(state.failure ?? alreadyClosed(state));
    const [names] =
      "maxSegments" in wanted
        ? findForcedMerges(sizes(state), wanted.maxSegments)
        : findExpungeMerges(sizes(state), new Set(), settingsOf(state));
    if (names === undefined) return;
    await mergeNamed(state, names);
  }
}

/** A merge that fails closes the engine. The promise never rejects: several requests may wait for the same merge. */
async function mergeNamed(state: EngineState, names: readonly string[]): Promise<void> {
  const running = runMerge(state, names).catch((error: unknown) => {
    failEngine(state, error);
  });
  state.merging = running;
  await running;
  state.merging = undefined;
}

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

/** Puts the merged segment in the place of the others, with the deletes that came in the meantime. */
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

/** Documents deleted since the last refresh are now found under other numbers. */
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

/** In the place of the first of them. Searches go on with the old ones until the next refresh if they are behind. */
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

function sizes(state: EngineState): SegmentSize[] {
  const retained = retainFrom(state);
  return state.segments.map((segment) => ({
    name: segment.name,
    sizeBytes: segment.reader.sizeBytes,
    maxDoc: segment.reader.maxDoc,
    deletedDocs: reclaimable(state, segment, retained),
  }));
}

/** Deleted documents that a merge can drop: none in a segment that a merge left as it was for the sake of history. */
function reclaimable(state: EngineState, segment: SegmentEntry, retained: number): number {
  if (segment.reader.minSeqNo >= retained) return 0;
  if (state.fruitlessAt.get(segment.name) === retained) return 0;
  return segment.reader.maxDoc - liveCount(segment);
}

function settingsOf(state: EngineState): TieredMergeSettings {
  const { maxMergedSegmentBytes, segmentsPerTier } = state.options.settings();
  return { ...DEFAULT_TIERED_MERGE_SETTINGS, maxMergedSegmentBytes, segmentsPerTier };
}
