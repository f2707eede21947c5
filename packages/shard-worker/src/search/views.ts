/**
 * Views of a whole copy: as it is now, and as a context keeps it. `restrictions.ts` reduces them to what a request
 * may see.
 */
import type { ShardView } from "@orrery/query";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { noteSearch } from "../copy/upkeep.ts";
import { assertOpen } from "../engine/failure.ts";
import type { SearchContext } from "./contexts.ts";

/** The documents of a context, with the current mapping and settings of the index. */
export function contextView({ copy, view }: SearchContext): ShardView {
  const { mapping, metadata } = copy.service;
  return { ...view, mapping, settings: metadata.settings };
}

/** The documents that searches see. On a search-idle copy, the skipped refresh runs first. */
export function freshView(copy: ShardCopy): ShardView {
  noteSearch(copy, engineOf(copy));
  return viewOf(copy);
}

/** The documents that searches see now. Unlike `freshView`, it leaves a copy search-idle. */
export function viewOf(copy: ShardCopy): ShardView {
  const engine = engineOf(copy);
  assertOpen(engine);
  return {
    index: copy.index,
    indexUuid: copy.indexUuid,
    shard: copy.shard,
    nodeId: copy.worker.nodeId,
    settings: copy.service.metadata.settings,
    mapping: copy.service.mapping,
    segments: engine.visible.map(({ reader, live }) => ({ reader, live })),
  };
}
