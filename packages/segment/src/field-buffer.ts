/** One field in the indexing buffer: the documents that have it, and the buffers of its parts. */
import type { Growth } from "@orrery/analysis";
import { assert } from "@orrery/stdx";
import { IntList } from "./growable.ts";
import { entryOf, kindsOf, rowOf, type FieldEntry } from "./layout.ts";
import { presenceOf } from "./numbers.ts";
import type { PartBuffer, SectionWriter, SegmentPart, SegmentParts } from "./part.ts";
import type { FieldInfo, FieldSpec, FieldValue } from "./types.ts";

/** Documents and where each one's values start, in every part's buffer. */
const BYTES_PER_DOCUMENT = 12;

interface BufferedPart {
  readonly row: SegmentPart;
  readonly buffer: PartBuffer;
}

export class FieldBuffer {
  readonly info: FieldInfo;
  readonly #docs: IntList = new IntList();
  readonly #parts: readonly BufferedPart[];
  #doc = -1;

  constructor(spec: FieldSpec, parts: SegmentParts) {
    const { name, type, index, norms, docValues, points } = spec;
    const info = { name, type, index, norms, docValues, points };
    this.info = spec.parts === undefined ? info : { ...info, parts: spec.parts };
    this.#parts = kindsOf(spec).map((kind) => {
      const row = rowOf(parts, kind);
      return { row, buffer: row.buffer(spec) };
    });
  }

  /** Before the value of a document, the first one or another. */
  begin(doc: number): void {
    if (this.#doc === doc) return;
    assert(doc > this.#doc, "documents come in order");
    this.#doc = doc;
    this.#docs.push(doc);
    for (const { buffer } of this.#parts) buffer.begin(doc);
  }

  /** A value of the document that began last, to each part. */
  add(value: FieldValue["value"], growth: Growth): void {
    for (const { buffer } of this.#parts) buffer.add(value, growth);
  }

  get ramBytes(): number {
    const documents = this.#docs.length * BYTES_PER_DOCUMENT;
    return this.#parts.reduce((sum, { buffer }) => sum + buffer.ramBytes, documents);
  }

  write(file: SectionWriter, maxDoc: number): FieldEntry {
    const { info } = this;
    const docs = this.#docs.view();
    const present = docs.length === maxDoc ? undefined : file.add(presenceOf(docs, maxDoc));
    const field = { info, docs, maxDoc };
    const entries = this.#parts.map(({ row, buffer }) => row.write(file, buffer, field));
    return entryOf({ info, docCount: docs.length, present }, entries);
  }
}
