/**
 * What a segment stores of each operation besides its columns: kind, id, routing and `_source`, one record each.
 *
 * Record: varint length and bytes of the id; varint 0, or length + 1 and bytes of the routing value; the source.
 */
import { assert, emptyBytes, utf8Decode, utf8EncodeInto } from "@orrery/stdx";
import { ByteList, IntList } from "./growable.ts";
import type { SectionReader, SectionWriter } from "./part.ts";
import type { DocumentInput, OperationKind } from "./types.ts";

/** Low bits of a document's kind byte. A nested document, and one whose indexing failed, is no operation. */
export const KIND_INDEX = 0;
export const KIND_DELETE = 1;
export const KIND_NOOP = 2;
export const KIND_NESTED = 3;
export const KIND_FAILED = 4;
const KIND_MASK = 7;
const HAS_SOURCE = 8;

const KINDS: Readonly<Record<OperationKind, number>> = {
  index: KIND_INDEX,
  delete: KIND_DELETE,
  noop: KIND_NOOP,
};

export interface StoredEntry {
  readonly kinds: number;
  readonly offsets: number;
  readonly records: number;
}

/** Takes documents in order. */
export class StoredList {
  readonly kinds: ByteList = new ByteList(256);
  readonly offsets: IntList = new IntList(256);
  readonly records: ByteList;

  constructor(capacity = 4096) {
    this.records = new ByteList(capacity);
  }

  addNested(): void {
    this.kinds.byte(KIND_NESTED);
    this.offsets.push(this.records.length);
  }

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
    else {
      const bytes = new Uint8Array(routing.length * 3);
      const length = utf8EncodeInto(routing, bytes);
      records.varint(length + 1);
      records.raw(bytes, 0, length);
    }
    if (source !== undefined) records.raw(source, 0, source.length);
  }

  /** The document's operation does not count: its indexing failed. */
  fail(doc: number): void {
    this.kinds.bytes[doc] = KIND_FAILED;
  }

  /** Records [from, to) of another segment as they are. */
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

export class StoredFields {
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

  idBytes(doc: number): Uint8Array {
    const { at, length } = this.#sized(this.offset(doc));
    return this.records.subarray(at, at + length);
  }

  isFailed(doc: number): boolean {
    return this.kind(doc) === KIND_FAILED;
  }

  /** For a nested document, which has no record: no bytes. */
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

  /** A varint length and where what it measures starts. */
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

/** So short that the decoder's own costs, and those of a copy for it, are most of the work. Ids made for clients have 20 characters. */
const SHORT_ID = 24;

/** `undefined` when a character is not ASCII. */
function asciiOf(bytes: Uint8Array, from: number, to: number): string | undefined {
  let text = "";
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i] as number;
    if (byte > 127) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}
