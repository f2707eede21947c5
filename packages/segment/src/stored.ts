/**
 * Stored fields: for each document its kind, and a record with id, routing and `_source`.
 *
 * Record: varint length and bytes of the id; varint 0, or length + 1 and bytes of the routing value; the bytes of the
 * source up to the next record. Records are not compressed, so a fetch returns a view over the file and a merge
 * copies runs of them with one `set`.
 */
import { assert, emptyBytes, utf8Decode, utf8EncodeInto } from "@orrery/stdx";
import { ByteList, IntList } from "./growable.ts";
import type { SectionReader, SectionWriter } from "./part.ts";
import type { DocumentInput, OperationKind } from "./types.ts";

/** Kind of an indexed document. A kind is in the low three bits of the kind byte. */
export const KIND_INDEX = 0;
/** Kind of the tombstone of a delete. */
export const KIND_DELETE = 1;
/** Kind of the tombstone of a no-op. */
export const KIND_NOOP = 2;
/** Kind of a nested document, which is no operation of the shard's history. */
export const KIND_NESTED = 3;
/** Kind of a document whose indexing failed; it is no operation of the shard's history. */
export const KIND_FAILED = 4;
const KIND_MASK = 7;
const HAS_SOURCE = 8;

const KINDS: Readonly<Record<OperationKind, number>> = {
  index: KIND_INDEX,
  delete: KIND_DELETE,
  noop: KIND_NOOP,
};

/** Directory entry of the stored fields. */
export interface StoredEntry {
  readonly kinds: number;
  readonly offsets: number;
  readonly records: number;
}

/** Stored fields before they are written; documents are added in order. */
export class StoredList {
  readonly kinds: ByteList = new ByteList(256);
  readonly offsets: IntList = new IntList(256);
  readonly records: ByteList;

  constructor(capacity = 4096) {
    this.records = new ByteList(capacity);
  }

  addNested(): void {
    // A nested document has a kind and an empty record, so that offsets stay indexed by document.
    this.kinds.byte(KIND_NESTED);
    this.offsets.push(this.records.length);
  }

  /** Adds the record of an operation. The bytes are copied. */
  add(
    kind: OperationKind,
    idBytes: Uint8Array,
    idLength: number,
    { routing, source }: Pick<DocumentInput, "routing" | "source">,
  ): void {
    this.kinds.byte(KINDS[kind] | (source === undefined ? 0 : HAS_SOURCE));
    const { records } = this;
    this.offsets.push(records.length);
    records.varint(idLength);
    records.raw(idBytes, 0, idLength);
    if (routing === undefined) records.byte(0);
    // 0 means "no routing", so that an empty routing value (length 0, stored as 1) is told from an absent one.
    else {
      const bytes = new Uint8Array(routing.length * 3);
      const length = utf8EncodeInto(routing, bytes);
      records.varint(length + 1);
      records.raw(bytes, 0, length);
    }
    if (source !== undefined) records.raw(source, 0, source.length);
  }

  /** Marks a document whose indexing failed: its operation does not count. */
  fail(doc: number): void {
    this.kinds.bytes[doc] = KIND_FAILED;
  }

  /** Copies the records [from, to) of another segment unchanged; offsets are shifted to their new place. */
  copy(other: StoredFields, from: number, to: number): void {
    const base = other.offset(from);
    const shift = this.records.length - base;
    this.records.raw(other.records, base, other.offset(to));
    for (let doc = from; doc < to; doc += 1) {
      this.kinds.byte(other.kinds[doc] as number);
      this.offsets.push(other.offset(doc) + shift);
    }
  }
}

/**
 * Writes the sections of the stored fields. Offsets are unsigned 32-bit numbers, so the records of a segment have at
 * most 4 GiB.
 */
export function writeStored(file: SectionWriter, list: StoredList): StoredEntry {
  assert(list.records.length < 2 ** 32, "stored fields of a segment exceed 4 GiB");
  const count = list.offsets.length;
  const offsets = new Int32Array(count + 1);
  offsets.set(list.offsets.view());
  offsets[count] = list.records.length;
  return {
    kinds: file.add(list.kinds.view()),
    offsets: file.add(offsets),
    records: file.add(list.records.view()),
  };
}

/** Stored fields of an open segment, read in place. */
export class StoredFields {
  /** Kind bytes, including the flag for a source; use `kind` for the kind alone. */
  readonly kinds: Uint8Array;
  readonly records: Uint8Array;
  readonly #offsets: Uint32Array;

  constructor(file: SectionReader, entry: StoredEntry) {
    this.kinds = file.bytes(entry.kinds);
    this.#offsets = file.words(entry.offsets);
    this.records = file.bytes(entry.records);
  }

  offset(doc: number): number {
    return this.#offsets[doc] as number;
  }

  /** One of the `KIND_` numbers. */
  kind(doc: number): number {
    return (this.kinds[doc] as number) & KIND_MASK;
  }

  /** Bytes of the id, as a view. */
  idBytes(doc: number): Uint8Array {
    const { at, length } = this.#sized(this.offset(doc));
    return this.records.subarray(at, at + length);
  }

  /** Whether the document's indexing failed. */
  isFailed(doc: number): boolean {
    return this.kind(doc) === KIND_FAILED;
  }

  /** Bytes of the id; empty for a nested document, which has no record to read a length from. */
  idBytesOrEmpty(doc: number): Uint8Array {
    return this.kind(doc) === KIND_NESTED ? emptyBytes : this.idBytes(doc);
  }

  hasId(doc: number, id: Uint8Array): boolean {
    const { records } = this;
    let at = this.offset(doc);
    let byte = records[at] as number;
    let length = byte & 127;
    at += 1;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = records[at] as number;
      at += 1;
      length |= (byte & 127) << shift;
    }
    if (length !== id.length) return false;
    for (let i = 0; i < length; i += 1) if (records[at + i] !== id[i]) return false;
    return true;
  }

  id(doc: number): string {
    const { at, length } = this.#sized(this.offset(doc));
    const text = length <= SHORT_ID ? asciiOf(this.records, at, at + length) : undefined;
    return text ?? utf8Decode(this.records.subarray(at, at + length));
  }

  routing(doc: number): string | undefined {
    const id = this.#sized(this.offset(doc));
    const { at, length } = this.#sized(id.at + id.length);
    return length === 0 ? undefined : utf8Decode(this.records.subarray(at, at + length - 1));
  }

  source(doc: number): Uint8Array | undefined {
    if (((this.kinds[doc] as number) & HAS_SOURCE) === 0) return undefined;
    const id = this.#sized(this.offset(doc));
    const { at, length } = this.#sized(id.at + id.length);
    return this.records.subarray(at + Math.max(0, length - 1), this.offset(doc + 1));
  }

  /** Reads a varint length and the offset of the bytes that it measures. */
  #sized(offset: number): { readonly at: number; readonly length: number } {
    let at = offset;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.records[at] as number;
      at += 1;
      length |= (byte & 127) << shift;
      if (byte < 128) return { at, length };
    }
  }
}

/** Length up to which assembling an ASCII string directly is faster than calling the decoder. Generated ids have 20 characters. */
const SHORT_ID = 24;

/** The string of ASCII bytes; `undefined` when a byte is not ASCII. */
function asciiOf(bytes: Uint8Array, from: number, to: number): string | undefined {
  let text = "";
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i] as number;
    if (byte > 127) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}
