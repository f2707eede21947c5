/** Reads one document: as of now (realtime), or as searches see it. */
import { createIdKey } from "@orrery/segment";
import { assertOpen } from "./failure.ts";
import { lookUp } from "./lookup.ts";
import type { EngineState } from "./types.ts";

export interface FoundDocument {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly routing: string | undefined;
  /** As stored; `undefined` when the mapping keeps none. */
  readonly source: Uint8Array | undefined;
}

export function readDocument(
  state: EngineState,
  id: string,
  isRealtime: boolean,
): FoundDocument | undefined {
  assertOpen(state);
  return isRealtime ? readNewest(state, id) : readVisible(state, id);
}

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

function readVisible(state: EngineState, id: string): FoundDocument | undefined {
  const key = createIdKey(id);
  for (const { reader, live } of state.visible.toReversed()) {
    const doc = reader.find(key, live);
    if (doc >= 0) return reader.stored(doc);
  }
  return undefined;
}
