/** Get by id (`ShardGetService`): the newest version of a document, or the one that searches see. */
import { createIdKey } from "@orrery/segment";
import { assertOpen } from "./failure.ts";
import { lookUp } from "./lookup.ts";
import type { EngineState } from "./types.ts";

/** A live document. */
export interface FoundDocument {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly routing: string | undefined;
  /** The source as stored; `undefined` when the mapping stores no source. */
  readonly source: Uint8Array | undefined;
}

/**
 * Reads a document by id; `undefined`: the document does not exist or is deleted. With `isRealtime` the read sees
 * operations that were not refreshed yet.
 */
export function readDocument(
  state: EngineState,
  id: string,
  isRealtime: boolean,
): FoundDocument | undefined {
  assertOpen(state);
  return isRealtime ? readNewest(state, id) : readVisible(state, id);
}

/** From the version map, which keeps the sources of unrefreshed documents, else from a segment. */
function readNewest(state: EngineState, id: string): FoundDocument | undefined {
  const found = lookUp(state, id);
  if (found === undefined || found.isDeleted) return undefined;
  const { version, seqNo, primaryTerm, segment, doc, entry } = found;
  if (segment === undefined) {
    return { version, seqNo, primaryTerm, routing: entry?.routing, source: entry?.source };
  }
  const { routing, source } = segment.reader.stored(doc);
  return { version, seqNo, primaryTerm, routing, source };
}

/** From the segments that searches see; the newest segment has the newest document. */
function readVisible(state: EngineState, id: string): FoundDocument | undefined {
  const key = createIdKey(id);
  for (const { reader, live } of state.visible.toReversed()) {
    const doc = reader.find(key, live);
    if (doc >= 0) return reader.stored(doc);
  }
  return undefined;
}
