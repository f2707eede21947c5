/** Lays the parts of a segment into its file: the last step of a flush and of a merge. */
import { assert } from "@orrery/stdx";
import { setBit, wordCount } from "./bits.ts";
import type { FileBuilder } from "./file.ts";
import { buildIdTable, hasIdKind } from "./id-index.ts";
import type { DictionaryEntry, FieldEntry, InvertedEntry, SegmentDirectory } from "./layout.ts";
import { writeNumberColumn, writePoints, type ColumnInput } from "./numbers.ts";
import type { PostingsColumns } from "./postings-writer.ts";
import { KIND_FAILED, KIND_NESTED, writeStored, type StoredList } from "./stored.ts";
import type { DictionaryWriter } from "./term-dictionary.ts";
import type { FieldInfo, SegmentFile } from "./types.ts";

export interface SegmentParts {
  readonly name: string;
  readonly stored: StoredList;
  /** Hash of each document's id; anything for documents without. */
  readonly idHashes: Int32Array;
  readonly seqNos: Float64Array;
  readonly primaryTerms: Float64Array;
  readonly versions: Float64Array;
  readonly fields: readonly FieldEntry[];
}

export function assembleSegment(file: FileBuilder, parts: SegmentParts): SegmentFile {
  const { name, stored } = parts;
  const maxDoc = stored.offsets.length;
  assert(parts.seqNos.length === maxDoc && parts.idHashes.length === maxDoc, "a part is missing");
  const kinds = stored.kinds.view();
  const kindOf = (doc: number): number => (kinds[doc] as number) & 7;
  const roots = new Int32Array(wordCount(maxDoc));
  let rootCount = 0;
  let minSeqNo = Infinity;
  let maxSeqNo = -1;
  for (let doc = 0; doc < maxDoc; doc += 1) {
    const kind = kindOf(doc);
    if (kind === KIND_NESTED) continue;
    setBit(roots, doc);
    rootCount += 1;
    if (kind === KIND_FAILED) continue;
    const seqNo = parts.seqNos[doc] as number;
    if (seqNo < minSeqNo) minSeqNo = seqNo;
    if (seqNo > maxSeqNo) maxSeqNo = seqNo;
  }
  const docs = Int32Array.from({ length: maxDoc }, (_, doc) => doc);
  const dense = (values: Float64Array): ColumnInput => {
    const isNarrow = values.every((value) => (value | 0) === value);
    return { maxDoc, docs, firstValues: docs, values: isNarrow ? Int32Array.from(values) : values };
  };
  const seqNos = dense(parts.seqNos);
  const directory: SegmentDirectory = {
    name,
    maxDoc,
    rootCount,
    minSeqNo: maxSeqNo < 0 ? -1 : minSeqNo,
    maxSeqNo,
    ...(rootCount === maxDoc ? {} : { roots: file.add(roots) }),
    stored: writeStored(file, stored),
    idTable: file.add(buildIdTable(parts.idHashes, (doc) => hasIdKind(kindOf(doc)))),
    seqNos: writeNumberColumn(file, "long", seqNos),
    seqNoPoints: writePoints(file, "long", { values: seqNos.values, docs, docCount: maxDoc }),
    primaryTerms: writeNumberColumn(file, "long", dense(parts.primaryTerms)),
    versions: writeNumberColumn(file, "long", dense(parts.versions)),
    fields: parts.fields,
  };
  return file.finish(`${name}.seg`, directory);
}

export function writeDictionary(file: FileBuilder, writer: DictionaryWriter): DictionaryEntry {
  const { offsets, bytes } = writer.finish();
  return { size: writer.size, offsets: file.add(offsets), bytes: file.add(bytes) };
}

export function writeInverted(
  file: FileBuilder,
  { index }: FieldInfo,
  columns: PostingsColumns,
  docCount: number,
): InvertedEntry {
  const { sumDocFreq, sumTotalTermFreq } = columns;
  const hasPositions = index === "positions" || index === "offsets";
  return {
    stats: { docCount, sumDocFreq, sumTotalTermFreq, termCount: columns.docFreqs.length },
    docFreqs: file.add(columns.docFreqs),
    ...(index === "docs" ? {} : { totalTermFreqs: file.add(columns.totalTermFreqs) }),
    starts: file.add(columns.starts),
    postings: file.add(columns.postings),
    ...(hasPositions
      ? {
          positionStarts: file.add(columns.positionStarts),
          positions: file.add(columns.positions),
        }
      : {}),
  };
}
