/** Views of a copy, whole: as it is now, and as a context keeps it. What a request may see of one is `restrictions.ts`. */
import type { ShardView } from "@orrery/query";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { noteSearch } from "../copy/upkeep.ts";
import { assertOpen } from "../engine/failure.ts";
import type { SearchContext } from "./contexts.ts";

/** A context's documents, under the mapping and the settings that are in force now. */
export function contextView({ copy, view }: SearchContext): ShardView {
  const { mapping, metadata } = copy.service;
  return { ...view, mapping, settings: metadata.settings };
}

/** What searches see now; an idle shard is refreshed first. */
export function freshView(copy: ShardCopy): ShardView {
  noteSearch(copy, engineOf(copy));
  return viewOf(copy);
}

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
