/** Finds the newest version of a document: in the buffer, among recent deletes, in the segments. */
import { createIdKey } from "@orrery/segment";
import { refresh } from "./refresh.ts";
import type { EngineState, FoundVersion } from "./types.ts";

export function lookUp(state: EngineState, id: string): FoundVersion | undefined {
  state.hadLookups = true;
  let entry = state.versions.get(id);
  if (entry === undefined && state.unmappedDocs > 0) {
    // Some documents were only appended; a refresh makes them findable, and later ones are remembered.
    state.isSafeAccess = true;
    refresh(state, "internal");
  }
  entry ??= recentDelete(state, id);
  if (entry !== undefined) {
    const { version, seqNo, primaryTerm, isDeleted, doc } = entry;
    return { version, seqNo, primaryTerm, isDeleted, segment: undefined, doc, entry };
  }
  const key = createIdKey(id);
  for (let i = state.segments.length - 1; i >= 0; i -= 1) {
    const segment = state.segments[i];
    if (segment === undefined) continue;
    const doc = segment.reader.find(key, segment.live);
    if (doc < 0) continue;
    return {
      version: segment.reader.version(doc),
      seqNo: segment.reader.seqNo(doc),
      primaryTerm: segment.reader.primaryTerm(doc),
      isDeleted: false,
      segment,
      doc,
      entry: undefined,
    };
  }
  return undefined;
}

function recentDelete(state: EngineState, id: string): FoundVersion["entry"] {
  const entry = state.tombstones.get(id);
  if (entry === undefined) return undefined;
  // What fills the gap below it may be older than the delete, however late it comes.
  if (entry.seqNo > state.tracker.processedCheckpoint) return entry;
  const { clock, settings } = state.options;
  if (clock.monotonicMs() - entry.atMs <= settings().gcDeletesMs) return entry;
  state.tombstones.delete(id);
  return undefined;
}
