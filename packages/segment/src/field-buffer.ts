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

export class FieldBuffer {
  readonly info: FieldInfo;
  readonly #docs: IntList = new IntList();
  /** In the order of `kindsOf`. */
  readonly #rows: readonly SegmentPart[];
  readonly #buffers: readonly PartBuffer[];
  #doc = -1;

  constructor(spec: FieldSpec, parts: SegmentParts) {
    const { name, type, index, norms, docValues, points } = spec;
    const info = { name, type, index, norms, docValues, points };
    this.info = spec.parts === undefined ? info : { ...info, parts: spec.parts };
    this.#rows = kindsOf(spec).map((kind) => rowOf(parts, kind));
    this.#buffers = this.#rows.map((row) => row.buffer(spec));
  }

  /** Before the value of a document, the first one or another. */
  begin(doc: number): void {
    if (this.#doc === doc) return;
    assert(doc > this.#doc, "documents come in order");
    this.#doc = doc;
    this.#docs.push(doc);
    const buffers = this.#buffers;
    for (let i = 0; i < buffers.length; i += 1) (buffers[i] as PartBuffer).begin(doc);
  }

  /** A value of the document that began last, to each part. */
  add(value: FieldValue["value"], growth: Growth): void {
    const buffers = this.#buffers;
    for (let i = 0; i < buffers.length; i += 1) (buffers[i] as PartBuffer).add(value, growth);
  }

  get ramBytes(): number {
    const documents = this.#docs.length * BYTES_PER_DOCUMENT;
    return this.#buffers.reduce((sum, buffer) => sum + buffer.ramBytes, documents);
  }

  write(file: SectionWriter, maxDoc: number): FieldEntry {
    const { info } = this;
    const docs = this.#docs.view();
    const present = docs.length === maxDoc ? undefined : file.add(presenceOf(docs, maxDoc));
    const field = { info, docs, maxDoc };
    const entries = this.#rows.map((row, i) =>
      row.write(file, this.#buffers[i] as PartBuffer, field),
    );
    return entryOf({ info, docCount: docs.length, present }, entries);
  }
}
