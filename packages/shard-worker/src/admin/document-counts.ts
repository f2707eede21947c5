/** Document counts of a copy. */
import { liveCount } from "../engine/segments.ts";
import type { SegmentEntry } from "../engine/types.ts";

/** Live and deleted documents, nested ones and tombstones included, as the product counts Lucene documents. */
export function documentCounts(segments: readonly SegmentEntry[]): {
  readonly count: number;
  readonly deleted: number;
} {
  let count = 0;
  let deleted = 0;
  for (const segment of segments) {
    const live = liveCount(segment);
    count += live;
    deleted += segment.reader.maxDoc - live;
  }
  return { count, deleted };
}
