/** Merges one field: its presence bits, then each of its parts. */
import { countBits, setBit, wordCount } from "./bits.ts";
import { entryOf, kindsOf, rowOf, type FieldEntry } from "./layout.ts";
import type { PartEntry, SectionWriter, SegmentParts } from "./part.ts";
import type { FieldInfo, SegmentReader } from "./types.ts";

/** One input segment of a merge, with its map of document numbers. */
export interface FieldSource {
  readonly reader: SegmentReader;
  /** New number of each document, ascending; -1 for documents that are left out. */
  readonly docMap: Int32Array;
}

/** A field to merge: `info` as the merged segment has it, `maxDoc` of the merged segment. */
export interface FieldMerge {
  readonly info: FieldInfo;
  readonly sources: readonly FieldSource[];
  readonly maxDoc: number;
}

/** Writes the merged field and returns its entry. Yields between pieces of work of a few milliseconds. */
export function* mergeField(
  file: SectionWriter,
  parts: SegmentParts,
  merge: FieldMerge,
): Generator<undefined, FieldEntry> {
  const { info, sources, maxDoc } = merge;
  const bits = mergePresence(merge);
  const docCount = countBits(bits);
  const present = docCount === maxDoc ? undefined : file.add(bits);
  const entries: PartEntry[] = [];
  for (const kind of kindsOf(info)) {
    const row = rowOf(parts, kind);
    // An input may lack the field or the part; its view is then undefined and the row treats it as empty.
    const views = sources.map(({ reader, docMap }) => ({
      part: reader.part(row, info.name),
      docMap,
    }));
    entries.push(yield* row.merge(file, { info, sources: views, maxDoc }));
  }
  return entryOf({ info, docCount, present }, entries);
}

/** Presence is merged from presence, not derived from the parts: a document may have the field without a value in any column. */
function mergePresence({ info, sources, maxDoc }: FieldMerge): Int32Array {
  const present = new Int32Array(wordCount(maxDoc));
  for (const { reader, docMap } of sources) {
    const docs = reader.documentsWith(info.name);
    if (docs === undefined) continue;
    for (let doc = 0; doc < docMap.length; doc += 1) {
      const target = docMap[doc] as number;
      if (target !== -1 && docs.has(doc)) setBit(present, target);
    }
  }
  return present;
}
