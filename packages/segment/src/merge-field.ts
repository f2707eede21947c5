/** Merges one field: which documents have it, then each of its parts. */
import { countBits, setBit, wordCount } from "./bits.ts";
import { entryOf, kindsOf, rowOf, type FieldEntry } from "./layout.ts";
import type { PartEntry, SectionWriter, SegmentParts } from "./part.ts";
import type { FieldInfo, SegmentReader } from "./types.ts";

export interface FieldSource {
  readonly reader: SegmentReader;
  /** New number of each document, -1 for those left out. */
  readonly docMap: Int32Array;
}

export interface FieldMerge {
  readonly info: FieldInfo;
  readonly sources: readonly FieldSource[];
  readonly maxDoc: number;
}

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
    const views = sources.map(({ reader, docMap }) => ({
      part: reader.part(row, info.name),
      docMap,
    }));
    entries.push(yield* row.merge(file, { info, sources: views, maxDoc }));
  }
  return entryOf({ info, docCount, present }, entries);
}

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
