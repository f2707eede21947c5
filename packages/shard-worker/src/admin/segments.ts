/** `_segments` of one copy. */
import type { JsonObject } from "@orrery/stdx";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { liveCount } from "../engine/segments.ts";

export function copySegments(copy: ShardCopy): JsonObject {
  const engine = engineOf(copy);
  const searched = new Set(engine.visible.map(({ name }) => name));
  const inCommit = new Set(engine.commits.at(-1)?.segments.map(({ name }) => name));
  const rows = engine.segments
    .toSorted((a, b) => a.generation - b.generation)
    .map((segment) => [
      segment.name,
      {
        generation: segment.generation,
        num_docs: liveCount(segment),
        deleted_docs: segment.reader.maxDoc - liveCount(segment),
        size_in_bytes: segment.reader.sizeBytes,
        memory_in_bytes: 0,
        committed: inCommit.has(segment.name),
        search: searched.has(segment.name),
        version: "10.5.0",
        compound: true,
        attributes: { "Lucene90StoredFieldsFormat.mode": "BEST_SPEED" },
      },
    ]);
  return {
    num_committed_segments: inCommit.size,
    num_search_segments: searched.size,
    segments: Object.fromEntries(rows),
  };
}
