/** One segment of an engine: its name, its place among the others, its live documents. */
import { openSegment, type SegmentImage } from "@orrery/segment";
import type { EngineState, SegmentEntry } from "./types.ts";

export function newSegmentName(state: EngineState): string {
  const name = `_${state.nextSegment.toString(36)}`;
  state.nextSegment += 1;
  return name;
}

export function entryOf(state: EngineState, image: SegmentImage): SegmentEntry {
  const reader = openSegment(image.files, state.options.segmentParts, { isTrusted: true });
  return {
    name: image.name,
    reader,
    live: image.liveDocs,
    committed: undefined,
    committedLive: undefined,
    generation: state.nextSegment - 1,
  };
}

/** Live documents of a segment, nested ones included. */
export function liveCount(segment: SegmentEntry): number {
  return segment.live?.liveCount ?? segment.reader.maxDoc;
}
