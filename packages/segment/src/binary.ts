/** Binary doc values: byte strings per document, in the order they were added. */
import { createDocSet } from "./bits.ts";
import { ByteList, IntList } from "./growable.ts";
import { presenceOf } from "./numbers.ts";
import type { SectionReader, SectionWriter } from "./part.ts";
import type { BinaryColumn } from "./types.ts";

export interface BinaryColumnEntry {
  readonly bytes: number;
  /** Where each value starts; one more than there are values. */
  readonly offsets: number;
  /** Per document the index of its first value; one more than there are documents. */
  readonly starts: number;
  readonly present: number | undefined;
  readonly docCount: number;
}

/** Takes values in document order. */
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

export function writeBinaryColumn(
  file: SectionWriter,
  list: BinaryList,
  maxDoc: number,
): BinaryColumnEntry {
  const docs = list.docs.view();
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
