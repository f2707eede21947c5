/** Segments of an engine: names, entries, live documents. */
import { openSegment, type SegmentImage } from "@orrery/segment";
import type { EngineState, SegmentEntry } from "./types.ts";

/** The next segment name: `_` and a number in base 36, as in Lucene. A store never uses a name twice. */
export function newSegmentName(state: EngineState): string {
  const name = `_${state.nextSegment.toString(36)}`;
  state.nextSegment += 1;
  return name;
}

/** The entry of a segment that was just written to memory. */
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
