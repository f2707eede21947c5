/**
 * The in-memory indexing buffer: documents in, one segment out.
 *
 * A document becomes searchable with the segment, after `flush`. One that cannot be indexed leaves a dead document
 * behind that is no operation of the history; the engine records a no-op for its sequence number instead. Document
 * numbers are never reused, so the numbers that `add` returned stay valid in the segment.
 */
import { Growth, hashTerm } from "@orrery/analysis";
import { assert, compareText, OperationError, utf8EncodeInto } from "@orrery/stdx";
import { assembleSegment } from "./assemble.ts";
import { clearBit } from "./bits.ts";
import { FieldBuffer } from "./field-buffer.ts";
import { createFileBuilder } from "./file.ts";
import { DoubleList, IntList } from "./growable.ts";
import { kindsOf } from "./layout.ts";
import { allLive, liveDocsOf } from "./live-docs.ts";
import type { SegmentParts } from "./part.ts";
import { scratch } from "./scratch.ts";
import { StoredList } from "./stored.ts";
import type {
  DocumentInput,
  FieldSpec,
  FieldValue,
  LiveDocs,
  SegmentImage,
  SegmentWriter,
} from "./types.ts";

/** Estimate per document: history columns of 8 bytes each, the record's overhead, the id table. */
const BYTES_PER_DOCUMENT = 64;

/** An empty writer; `parts` must contain the kinds of all fields that documents will have. */
export function createSegmentWriter(parts: SegmentParts): SegmentWriter {
  return new Writer(parts);
}

class Writer implements SegmentWriter {
  readonly #parts: SegmentParts;
  readonly #fields = new Map<string, FieldBuffer>();
  readonly #bySpec = new Map<FieldSpec, FieldBuffer>();
  readonly #stored = new StoredList();
  // Field buffers by name, and by the identity of their specification, which saves hashing the name for each value.
  readonly #idHashes = new IntList(256);
  readonly #seqNos = new DoubleList(256);
  readonly #primaryTerms = new DoubleList(256);
  readonly #versions = new DoubleList(256);
  readonly #dead = new Set<number>();
  /** Nested documents, by which a delete finds those of its root. */
  readonly #nested = new Set<number>();
  #isSpent = false;

  constructor(parts: SegmentParts) {
    this.#parts = parts;
  }

  get maxDoc(): number {
    return this.#idHashes.length;
  }

  get isEmpty(): boolean {
    return this.maxDoc === 0;
  }

  get ramBytes(): number {
    let total = this.#stored.records.length + this.maxDoc * BYTES_PER_DOCUMENT;
    for (const field of this.#fields.values()) total += field.ramBytes;
    return total;
  }

  /** Adds an operation; see `SegmentWriter`. */
  add(document: DocumentInput): number {
    assert(!this.#isSpent, "the writer has been flushed");
    const { children = [], kind } = document;
    const first = this.maxDoc;
    // Nested documents first, then the root: the block order on which block joins, deletes and merges rely. Records
    // and history columns of the whole block precede all field values, so that a document that fails during analysis
    // has complete columns and only needs to be marked dead.
    for (const _ of children) {
      this.#nested.add(this.maxDoc);
      this.#stored.addNested();
      this.#addColumns(document, 0);
    }
    const doc = this.maxDoc;
    const idLength = utf8EncodeInto(document.id, scratch);
    this.#stored.add(kind, scratch, idLength, document);
    this.#addColumns(document, hashTerm(scratch, idLength));
    if (kind !== "index") this.#dead.add(doc);
    // One budget of analysis for the whole block, so that nested documents cannot multiply it.
    const growth = new Growth();
    try {
      for (const [i, fields] of children.entries()) this.#addFields(first + i, fields, growth);
      this.#addFields(doc, document.fields, growth);
    } catch (error) {
      // Values that were already taken stay in the field buffers under a dead document; the next merge drops them.
      this.delete(doc);
      this.#stored.fail(doc);
      throw error instanceof OperationError ? error : new UnindexableError(error);
    }
    return doc;
  }

  delete(doc: number): void {
    assert(doc >= 0 && doc < this.maxDoc, `document [${doc}] is not in the buffer`);
    this.#dead.add(doc);
    // Goes backwards through the block: the nested documents of a root are the run of nested numbers directly before
    // it.
    for (let child = doc - 1; this.#nested.has(child); child -= 1) this.#dead.add(child);
  }

  isLive(doc: number): boolean {
    return !this.#dead.has(doc);
  }

  flush(name: string): SegmentImage {
    assert(!this.#isSpent, "the writer has been flushed");
    this.#isSpent = true;
    const file = createFileBuilder();
    const { maxDoc } = this;
    // In order of name, so that equal documents give equal files whatever the order of their fields.
    const fields = [...this.#fields.values()].toSorted((a, b) =>
      compareText(a.info.name, b.info.name),
    );
    const segment = assembleSegment(file, {
      name,
      stored: this.#stored,
      idHashes: this.#idHashes.view(),
      seqNos: this.#seqNos.view(),
      primaryTerms: this.#primaryTerms.view(),
      versions: this.#versions.view(),
      // Fields are written while the argument is built, so their sections come first in the file.
      fields: fields.map((field) => field.write(file, maxDoc)),
    });
    return { name, files: [segment], liveDocs: this.#liveDocs() };
  }

  #liveDocs(): LiveDocs | undefined {
    if (this.#dead.size === 0) return undefined;
    const { words } = allLive(this.maxDoc);
    for (const doc of this.#dead) clearBit(words, doc);
    return liveDocsOf(this.maxDoc, words);
  }

  #addColumns(document: DocumentInput, idHash: number): void {
    this.#idHashes.push(idHash);
    this.#seqNos.push(document.seqNo);
    this.#primaryTerms.push(document.primaryTerm);
    this.#versions.push(document.version);
  }

  /** Adds the values of one document; a field that occurs for the first time gets a buffer. */
  #addFields(doc: number, values: readonly FieldValue[], growth: Growth): void {
    for (const { field: spec, value } of values) {
      const field = this.#bySpec.get(spec) ?? this.#register(spec);
      field.begin(doc);
      field.add(value, growth);
    }
  }

  /** The buffer for a specification that has not been seen; another object of the same name must describe the same columns. */
  #register(spec: FieldSpec): FieldBuffer {
    const field = this.#fields.get(spec.name) ?? new FieldBuffer(spec, this.#parts);
    const { info } = field;
    assert(
      info.index === spec.index &&
        info.docValues === spec.docValues &&
        isSame(kindsOf(info), kindsOf(spec)),
      `two different specifications of field [${spec.name}]`,
    );
    this.#fields.set(spec.name, field);
    this.#bySpec.set(spec, field);
    return field;
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, i) => one === others[i]);
}

/**
 * The error of a document on which analysis failed by a bug, which is the cause. The document is marked as deleted, and
 * the writer can be used further.
 */
export class UnindexableError extends Error {
  override readonly name = "UnindexableError";

  constructor(cause: unknown) {
    super("a document could not be indexed", { cause });
  }
}
