/** One field in the indexing buffer: the documents that have it, and one buffer for each of its parts. */
import type { Growth } from "@orrery/analysis";
import { assert } from "@orrery/stdx";
import { IntList } from "./growable.ts";
import { entryOf, kindsOf, rowOf, type FieldEntry } from "./layout.ts";
import { presenceOf } from "./numbers.ts";
import type { PartBuffer, SectionWriter, SegmentPart, SegmentParts } from "./part.ts";
import type { FieldInfo, FieldSpec, FieldValue } from "./types.ts";

/** A document number, and in each part's buffer the index of its first value. */
const BYTES_PER_DOCUMENT = 12;

/** Collects the values of one field. For each value the writer calls `begin` with the number of its document, then `add`. */
export class FieldBuffer {
  readonly info: FieldInfo;
  readonly #docs: IntList = new IntList();
  /** Rows of the field's parts; `#buffers` has the same order, that of `kindsOf`. */
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

  /** Announces a document; repeated calls for the same document have no effect, so the writer calls it before each value. */
  begin(doc: number): void {
    if (this.#doc === doc) return;
    assert(doc > this.#doc, "documents come in order");
    this.#doc = doc;
    this.#docs.push(doc);
    const buffers = this.#buffers;
    for (let i = 0; i < buffers.length; i += 1) (buffers[i] as PartBuffer).begin(doc);
  }

  /**
   * Adds a value of the current document to the buffer of every part. A part that refuses it throws; other parts may
   * have taken it, which is harmless because the document is then dead.
   */
  add(value: FieldValue["value"], growth: Growth): void {
    const buffers = this.#buffers;
    for (let i = 0; i < buffers.length; i += 1) (buffers[i] as PartBuffer).add(value, growth);
  }

  get ramBytes(): number {
    const documents = this.#docs.length * BYTES_PER_DOCUMENT;
    return this.#buffers.reduce((sum, buffer) => sum + buffer.ramBytes, documents);
  }

  /** Writes all parts and returns the field's directory entry. The buffers are spent. */
  write(file: SectionWriter, maxDoc: number): FieldEntry {
    const { info } = this;
    const docs = this.#docs.view();
    // Presence is written once per field, not per part: `exists` queries and doc counts do not depend on the kinds of
    // parts.
    const present = docs.length === maxDoc ? undefined : file.add(presenceOf(docs, maxDoc));
    const field = { info, docs, maxDoc };
    const entries = this.#rows.map((row, i) =>
      row.write(file, this.#buffers[i] as PartBuffer, field),
    );
    return entryOf({ info, docCount: docs.length, present }, entries);
  }
}
