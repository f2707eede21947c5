/**
 * The version lookup (`LiveVersionMap`, `InternalEngine.resolveDocVersion`): the newest operation on an id, from the
 * version map, the tombstones, or the segments, in this order.
 */
import { createIdKey } from "@orrery/segment";
import { refresh } from "./refresh.ts";
import type { EngineState, FoundVersion } from "./types.ts";

/**
 * The newest version of an id, deletes included. `undefined`: the id was never written, or its delete is older than the
 * deletes that the engine remembers.
 */
export function lookUp(state: EngineState, id: string): FoundVersion | undefined {
  state.hadLookups = true;
  let entry = state.versions.get(id);
  if (entry === undefined && state.unmappedDocs > 0) {
    // Appended documents are not in the version map. The refresh moves them to a segment, where they are found; from
    // now on every document is mapped, until a refresh interval passes without look-ups.
    state.isSafeAccess = true;
    refresh(state, "internal");
  }
  entry ??= recentDelete(state, id);
  if (entry !== undefined) {
    const { version, seqNo, primaryTerm, isDeleted, doc } = entry;
    return { version, seqNo, primaryTerm, isDeleted, segment: undefined, doc, entry };
  }
  const key = createIdKey(id);
  // At most one segment has a live document of the id; new ones are the likelier.
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

/**
 * A refreshed delete that still counts. Its tombstone expires after `index.gc_deletes`, and not before every older
 * operation is processed.
 */
function recentDelete(state: EngineState, id: string): FoundVersion["entry"] {
  const entry = state.tombstones.get(id);
  if (entry === undefined) return undefined;
  // Operations that fill the gap below it are older, however late they arrive.
  if (entry.seqNo > state.tracker.processedCheckpoint) return entry;
  const { clock, settings } = state.options;
  if (clock.monotonicMs() - entry.atMs <= settings().gcDeletesMs) return entry;
  state.tombstones.delete(id);
  return undefined;
}
