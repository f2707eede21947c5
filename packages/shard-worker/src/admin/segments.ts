/** `_segments` of one copy. */
import type { JsonObject } from "@orrery/stdx";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { liveCount } from "../engine/segments.ts";
import type { SegmentEntry } from "../engine/types.ts";

export function copySegments(copy: ShardCopy): JsonObject {
  const engine = engineOf(copy);
  return {
    num_committed_segments: committed(copy).size,
    num_search_segments: new Set(engine.visible.map(({ name }) => name)).size,
    segments: segmentsJson(copy, engine.segments, new Set(engine.visible.map(({ name }) => name))),
  };
}

function committed(copy: ShardCopy): ReadonlySet<string> {
  return new Set(
    engineOf(copy)
      .commits.at(-1)
      ?.segments.map(({ name }) => name),
  );
}

/**
 * Segments by name, as `_segments` shows them. `searched`: names of the segments that searches see; `undefined`: all of
 * them.
 */
export function segmentsJson(
  copy: ShardCopy,
  segments: readonly SegmentEntry[],
  searched?: ReadonlySet<string>,
): JsonObject {
  const inCommit = committed(copy);
  const rows = segments
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
        search: searched?.has(segment.name) ?? true,
        version: "10.5.0",
        compound: true,
        attributes: { "Lucene90StoredFieldsFormat.mode": "BEST_SPEED" },
      },
    ]);
  return Object.fromEntries(rows);
}
