/**
 * Assembles a segment file from its parts: the last step of a flush and of a merge.
 *
 * Fields are already in the file when this runs; the per-document columns of the shard's history (records, id table,
 * sequence numbers, primary terms, versions) follow, and the directory comes last, because it names all sections.
 */
import { assert } from "@orrery/stdx";
import { setBit, wordCount } from "./bits.ts";
import type { FileBuilder } from "./file.ts";
import { buildIdTable, hasIdKind } from "./id-index.ts";
import type { FieldEntry, SegmentDirectory } from "./layout.ts";
import { writeNumberColumn, writePoints, type ColumnInput } from "./numbers.ts";
import { KIND_FAILED, KIND_NESTED, writeStored, type StoredList } from "./stored.ts";
import type { SegmentFile } from "./types.ts";

/** Contents of one segment: one entry per document in every column, in document order. */
export interface SegmentContents {
  readonly name: string;
  readonly stored: StoredList;
  /** Hash of each document's id; ignored for documents without an id (nested or failed ones). */
  readonly idHashes: Int32Array;
  readonly seqNos: Float64Array;
  readonly primaryTerms: Float64Array;
  readonly versions: Float64Array;
  readonly fields: readonly FieldEntry[];
}

/**
 * Adds the history columns and finishes the file. The contents are not copied before they are laid out, so they must
 * not change afterwards.
 */
export function assembleSegment(file: FileBuilder, contents: SegmentContents): SegmentFile {
  const { name, stored } = contents;
  const maxDoc = stored.offsets.length;
  assert(
    contents.seqNos.length === maxDoc && contents.idHashes.length === maxDoc,
    "a column is missing",
  );
  const kinds = stored.kinds.view();
  const kindOf = (doc: number): number => (kinds[doc] as number) & 7;
  // Roots and the range of sequence numbers come from the kinds. A nested document shares its root's sequence number
  // and is no operation of its own; a failed one was replaced by a no-op, whose sequence number must not count twice.
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
    const seqNo = contents.seqNos[doc] as number;
    if (seqNo < minSeqNo) minSeqNo = seqNo;
    if (seqNo > maxSeqNo) maxSeqNo = seqNo;
  }
  const docs = Int32Array.from({ length: maxDoc }, (_, doc) => doc);
  // The history columns exist for every document, so the list of documents is 0..maxDoc-1 and no presence bits are
  // written. Sequence numbers, terms and versions stay below 2^53; int32 halves their size as long as
  // all fit.
  const dense = (values: Float64Array): ColumnInput => {
    const isNarrow = values.every((value) => (value | 0) === value);
    return { maxDoc, docs, firstValues: docs, values: isNarrow ? Int32Array.from(values) : values };
  };
  const seqNos = dense(contents.seqNos);
  const directory: SegmentDirectory = {
    name,
    maxDoc,
    // Flat segments, the normal case, store no root bits; a reader treats their absence as "all documents are roots".
    rootCount,
    minSeqNo: maxSeqNo < 0 ? -1 : minSeqNo,
    maxSeqNo,
    ...(rootCount === maxDoc ? {} : { roots: file.add(roots) }),
    stored: writeStored(file, stored),
    idTable: file.add(buildIdTable(contents.idHashes, (doc) => hasIdKind(kindOf(doc)))),
    seqNos: writeNumberColumn(file, "long", seqNos),
    seqNoPoints: writePoints(file, "long", { values: seqNos.values, docs, docCount: maxDoc }),
    primaryTerms: writeNumberColumn(file, "long", dense(contents.primaryTerms)),
    versions: writeNumberColumn(file, "long", dense(contents.versions)),
    fields: contents.fields,
  };
  return file.finish(`${name}.seg`, directory);
}
