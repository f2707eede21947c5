/**
 * Binary doc values: byte strings per document, in the order in which they were added (Lucene's `BinaryDocValues`,
 * with several values per document).
 */
import { createDocSet } from "./bits.ts";
import { ByteList, IntList } from "./growable.ts";
import { presenceOf } from "./numbers.ts";
import type { SectionReader, SectionWriter } from "./part.ts";
import type { BinaryColumn } from "./types.ts";

/** Directory entry of a binary column: numbers of its sections. */
export interface BinaryColumnEntry {
  readonly bytes: number;
  /** Section of value offsets: `offsets[i]` to `offsets[i + 1]` is value `i`. One more entry than there are values. */
  readonly offsets: number;
  /**
   * Section of first values: the values of `doc` are `starts[doc]` to `starts[doc + 1]`. One more entry than there
   * are documents.
   */
  readonly starts: number;
  /** Section of the presence bits; `undefined`: every document has a value. */
  readonly present: number | undefined;
  readonly docCount: number;
}

/** Values of one field before they are written; documents must ascend. */
export class BinaryList {
  readonly docs: IntList = new IntList();
  readonly firstValues: IntList = new IntList();
  readonly offsets: IntList = new IntList();
  readonly bytes: ByteList = new ByteList();

  add(doc: number, value: Uint8Array): void {
    if (this.docs.length === 0 || this.docs.items[this.docs.length - 1] !== doc) {
      this.docs.push(doc);
      this.firstValues.push(this.offsets.length);
    }
    this.offsets.push(this.bytes.length);
    this.bytes.raw(value, 0, value.length);
  }
}

/** Writes the column and returns its directory entry. */
export function writeBinaryColumn(
  file: SectionWriter,
  list: BinaryList,
  maxDoc: number,
): BinaryColumnEntry {
  const docs = list.docs.view();
  // Filled from the end, so that a document without values gets the start of the next document's values and its own
  // range is empty.
  const starts = new Int32Array(maxDoc + 1).fill(list.offsets.length);
  let entry = docs.length - 1;
  let start = list.offsets.length;
  for (let doc = maxDoc - 1; doc >= 0; doc -= 1) {
    if (docs[entry] === doc) {
      start = list.firstValues.items[entry] as number;
      entry -= 1;
    }
    starts[doc] = start;
  }
  const offsets = new Int32Array(list.offsets.length + 1);
  offsets.set(list.offsets.view());
  offsets[list.offsets.length] = list.bytes.length;
  return {
    bytes: file.add(list.bytes.view()),
    offsets: file.add(offsets),
    starts: file.add(starts),
    present: docs.length === maxDoc ? undefined : file.add(presenceOf(docs, maxDoc)),
    docCount: docs.length,
  };
}

/** Opens the column in place. Returned values are views over the file's memory, which live as long as the reader. */
export function openBinaryColumn(file: SectionReader, entry: BinaryColumnEntry): BinaryColumn {
  const bytes = file.bytes(entry.bytes);
  const offsets = file.words(entry.offsets);
  const starts = file.ints(entry.starts);
  const present = entry.present === undefined ? undefined : file.ints(entry.present);
  const valueAt = (index: number): Uint8Array => bytes.subarray(offsets[index], offsets[index + 1]);
  return {
    docCount: entry.docCount,
    documents: createDocSet(entry.docCount, present),
    value: (doc) => {
      const start = starts[doc] as number;
      return start < (starts[doc + 1] as number) ? valueAt(start) : undefined;
    },
    values: (doc) => {
      const start = starts[doc] as number;
      const count = (starts[doc + 1] as number) - start;
      return Array.from({ length: count }, (_, i) => valueAt(start + i));
    },
  };
}
