/**
 * The in-memory indexing buffer: documents in, one segment out.
 *
 * Nothing is searchable before `flush`. A document that cannot be indexed leaves a dead document behind, whose
 * operation is not part of the history (its caller records a no-op instead).
 */
import { Growth, hashTerm, pushTerm, type TermBytesSink } from "@orrery/analysis";
import {
  assert,
  compareText,
  defined,
  illegalArgument,
  OperationError,
  utf8Encode,
  utf8EncodeInto,
} from "@orrery/stdx";
import { assembleSegment } from "./assemble.ts";
import { clearBit } from "./bits.ts";
import { FieldBuffer } from "./field-buffer.ts";
import { flushField } from "./field-flush.ts";
import { createFileBuilder } from "./file.ts";
import { DoubleList, IntList } from "./growable.ts";
import { allLive, liveDocsOf } from "./live-docs.ts";
import { StoredList } from "./stored.ts";
import {
  MAX_TERM_BYTES,
  type DocumentInput,
  type FieldSpec,
  type FieldValue,
  type LiveDocs,
  type SegmentImage,
  type SegmentWriter,
} from "./types.ts";

/** Columns of 8 bytes, record overhead, id table. */
const BYTES_PER_DOCUMENT = 64;

export function createSegmentWriter(): SegmentWriter {
  return new Writer();
}

class Writer implements SegmentWriter {
  readonly #fields = new Map<string, FieldBuffer>();
  readonly #bySpec = new Map<FieldSpec, FieldBuffer>();
  readonly #sink = new FieldSink();
  readonly #stored = new StoredList();
  readonly #idHashes = new IntList(256);
  readonly #seqNos = new DoubleList(256);
  readonly #primaryTerms = new DoubleList(256);
  readonly #versions = new DoubleList(256);
  readonly #dead = new Set<number>();
  /** Nested documents, so that a delete finds those of its root. */
  readonly #nested = new Set<number>();
  #isSpent = false;

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

  add(document: DocumentInput): number {
    assert(!this.#isSpent, "the writer has been flushed");
    const { children = [], kind } = document;
    const first = this.maxDoc;
    for (const _ of children) {
      this.#nested.add(this.maxDoc);
      this.#stored.addNested();
      this.#addColumns(document, 0);
    }
    const doc = this.maxDoc;
    const idLength = utf8EncodeInto(document.id, this.#sink.bytes);
    this.#stored.add(kind, this.#sink.bytes, idLength, document);
    this.#addColumns(document, hashTerm(this.#sink.bytes, idLength));
    if (kind !== "index") this.#dead.add(doc);
    this.#sink.growth = new Growth();
    try {
      for (const [i, fields] of children.entries()) this.#addFields(first + i, fields);
      this.#addFields(doc, document.fields);
    } catch (error) {
      this.delete(doc);
      this.#stored.fail(doc);
      throw error instanceof OperationError ? error : new UnindexableError(error);
    }
    return doc;
  }

  delete(doc: number): void {
    assert(doc >= 0 && doc < this.maxDoc, `document [${doc}] is not in the buffer`);
    this.#dead.add(doc);
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
      fields: fields.map((field) => flushField(file, field, maxDoc)),
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

  #addFields(doc: number, values: readonly FieldValue[]): void {
    for (const { field: spec, value } of values) {
      const field = this.#bySpec.get(spec) ?? this.#register(spec);
      field.begin(doc);
      switch (spec.type) {
        case "text":
          this.#addText(field, spec, value);
          break;
        case "keyword":
          this.#addKeyword(field, value);
          break;
        case "binary":
          assert(value instanceof Uint8Array, `binary value of [${spec.name}]`);
          field.binary?.add(doc, value);
          break;
        default:
          assert(
            typeof value === "number" || typeof value === "bigint",
            `number of [${spec.name}]`,
          );
          field.numbers?.push(value);
      }
    }
  }

  #register(spec: FieldSpec): FieldBuffer {
    const field = this.#fields.get(spec.name) ?? new FieldBuffer(spec);
    const { info } = field;
    assert(
      info.type === spec.type && info.index === spec.index && info.docValues === spec.docValues,
      `two different specifications of field [${spec.name}]`,
    );
    this.#fields.set(spec.name, field);
    this.#bySpec.set(spec, field);
    return field;
  }

  #addText(field: FieldBuffer, { name, analyzer }: FieldSpec, value: FieldValue["value"]): void {
    assert(typeof value === "string", `text of [${name}]`);
    const sink = this.#sink;
    sink.field = field;
    const trailing = defined(analyzer, `analyzer of [${name}]`).visitBytes(
      value,
      sink,
      sink.growth,
    );
    field.position += trailing + field.positionIncrementGap;
    field.offset += value.length + 1;
  }

  #addKeyword(field: FieldBuffer, value: FieldValue["value"]): void {
    const sink = this.#sink;
    sink.field = field;
    if (typeof value === "string") {
      pushTerm(value, { positionIncrement: 1, startOffset: 0, endOffset: value.length }, sink);
      return;
    }
    assert(value instanceof Uint8Array, `term of [${field.info.name}]`);
    if (value.length > MAX_TERM_BYTES) throw immenseTerm(field, value.length, value);
    sink.bytes.set(value);
    sink.term(value.length, hashTerm(value, value.length), 1, 0, value.length);
  }
}

/** The analysis of a document met a bug: the document is dead, and the writer is as good as before. */
export class UnindexableError extends Error {
  override readonly name = "UnindexableError";

  constructor(cause: unknown) {
    super("a document could not be indexed", { cause });
  }
}

/** One term, or id, at a time: in use only inside `add`, so all writers of a thread can share it. */
const scratch = new Uint8Array(MAX_TERM_BYTES * 3 + 3);

/** Where analyzers push the terms of the field that is being indexed. */
class FieldSink implements TermBytesSink {
  readonly bytes: Uint8Array = scratch;
  field: FieldBuffer | undefined;
  /** Of the document's texts. */
  growth: Growth | undefined;

  term(
    length: number,
    hash: number,
    positionIncrement: number,
    startOffset: number,
    endOffset: number,
  ): void {
    const field = this.field as FieldBuffer;
    if (length > MAX_TERM_BYTES) throw immenseTerm(field, length, this.bytes.subarray(0, length));
    const terms = field.terms as NonNullable<FieldBuffer["terms"]>;
    field.token(terms.add(this.bytes, length, hash), positionIncrement);
    const { startOffsets, endOffsets } = field;
    if (startOffsets === undefined || endOffsets === undefined) return;
    startOffsets.push(field.offset + startOffset);
    endOffsets.push(field.offset + endOffset);
  }

  immense(term: string): void {
    const bytes = utf8Encode(term);
    throw immenseTerm(this.field as FieldBuffer, bytes.length, bytes);
  }
}

function immenseTerm({ info }: FieldBuffer, length: number, bytes: Uint8Array): Error {
  const prefix = [...bytes.subarray(0, 30)].map((byte) => (byte << 24) >> 24);
  return illegalArgument(
    `Document contains at least one immense term in field="${info.name}" (whose UTF8 encoding is longer than ` +
      `the max length ${MAX_TERM_BYTES}), all of which were skipped. Please correct the analyzer to not ` +
      `produce such terms. The prefix of the first immense term is: '[${prefix.join(", ")}]...', original ` +
      `message: bytes can be at most ${MAX_TERM_BYTES} in length; got ${length}`,
    {
      type: "max_bytes_length_exceeded_exception",
      reason: `bytes can be at most ${MAX_TERM_BYTES} in length; got ${length}`,
      status: 500,
    },
  );
}
