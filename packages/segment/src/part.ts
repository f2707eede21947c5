/**
 * A segment part: one kind of column of a field, from the values of documents to a reader over bytes.
 *
 * A kind is a row of five functions, after tantivy's triple of writer, serializer and reader: `buffer` is the writer, which collects a
 * field's values while documents are added; `write` and `merge` are the serializer, which makes sections of a file of one buffer (a
 * flush) or of several segments' parts (a merge); `open` is the reader. The core's kinds (`parts/`) are rows like any other. Writers,
 * merges and readers are given the rows as a value, `SegmentParts`.
 *
 * Contract: a part lies in sections of its segment's file, so that the file's checksum covers it, and peer recovery, snapshots and
 * commits carry it without knowing its kind. The entry that `write` and `merge` return lies in the file's directory as JSON: it names
 * the sections by number, and is all that `open` is given beside the file.
 */
import type { Growth } from "@orrery/analysis";
import type {
  BinaryColumn,
  FieldInfo,
  FieldSpec,
  FieldValue,
  NumberColumn,
  OrdinalColumn,
  Points,
  Terms,
} from "./types.ts";

/** `Buffer`, `Entry` and `View` belong together and are nobody else's business. */
export interface SegmentPart<
  Buffer extends PartBuffer = PartBuffer,
  Entry extends PartEntry = PartEntry,
  View = unknown,
> {
  /** As `FieldSpec.type` and `FieldSpec.parts` name it, and directories of files that are kept: it never changes its meaning. */
  readonly kind: string;
  /** The empty buffer of a field. */
  buffer(spec: FieldSpec): Buffer;
  /** Serializes what a buffer has collected; the buffer is spent. */
  write(file: SectionWriter, buffer: Buffer, field: WrittenField): Entry;
  /** Serializes one part of the parts that several segments have. Yields between pieces of work of a few milliseconds. */
  merge(file: SectionWriter, merge: PartMerge<View>): Generator<undefined, Entry>;
  /** A reader in place: it holds no cursor, and several searches use it at the same time. */
  open(file: SectionReader, entry: Entry, field: OpenField): View;
  /** The columns that the core's queries, sorts and aggregations find under the field's name, if this is the kind of its type. */
  columns?(view: View): Columns;
}

/** The rows that writers, merges and readers are given, by kind. Made by `composeSegmentParts`. */
export type SegmentParts = ReadonlyMap<string, SegmentPart>;

/** Values of one field in the indexing buffer. */
export interface PartBuffer {
  /** Estimate of the memory held, in bytes, beyond 12 for each document. */
  readonly ramBytes: number;
  /** A document with the field, before its values; documents ascend. */
  begin(doc: number): void;
  /**
   * A value of the document that began last. Throws `OperationError` to refuse the document, which counts as deleted then; what the
   * buffer has taken of it may stay. `growth` is the account of what analysis makes of the document.
   */
  add(value: FieldValue["value"], growth: Growth): void;
}

/**
 * Where a part lies in its file: JSON, and none of its members is named `info`, `docCount`, `present` or `others`. A reader of a
 * segment that was written a moment ago is given the object itself, any other one what JSON makes of it.
 */
export type PartEntry = object;

export interface WrittenField {
  readonly info: FieldInfo;
  /** Documents that began, ascending. */
  readonly docs: Int32Array;
  /** Documents of the segment. */
  readonly maxDoc: number;
}

export interface OpenField {
  readonly info: FieldInfo;
  readonly maxDoc: number;
}

export interface PartMerge<View> {
  readonly info: FieldInfo;
  /** In the order of the merged documents. */
  readonly sources: readonly PartSource<View>[];
  /** Documents of the merged segment. */
  readonly maxDoc: number;
}

export interface PartSource<View> {
  /** `undefined`: the segment has no such part of the field. */
  readonly part: View | undefined;
  /** New number of each document, ascending; -1 for those left out. */
  readonly docMap: Int32Array;
}

export type SectionArray =
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float64Array
  | BigInt64Array;

/** Sections of the file that is being written. */
export interface SectionWriter {
  /** Keeps the array until the file is finished; returns the section's number. */
  add(section: SectionArray): number;
}

/** Sections of an open file as typed views in place, made on demand; each begins at a multiple of 8 bytes. */
export interface SectionReader {
  bytes(section: number): Uint8Array;
  shorts(section: number): Uint16Array;
  ints(section: number): Int32Array;
  words(section: number): Uint32Array;
  doubles(section: number): Float64Array;
  longs(section: number): BigInt64Array;
}

/** What the core's searches read of a field, as far as its part has it. */
export interface Columns {
  readonly terms?: Terms | undefined;
  readonly norms?: Uint8Array | undefined;
  readonly numbers?: NumberColumn | undefined;
  readonly ordinals?: OrdinalColumn | undefined;
  readonly binary?: BinaryColumn | undefined;
  readonly points?: Points | undefined;
}
