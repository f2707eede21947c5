/**
 * A segment part: one kind of column of a field, from the values of documents to a view over bytes.
 *
 * A kind is a row of functions, after tantivy's triple of writer, serializer and reader. `buffer` is the writer,
 * which collects values while documents are added. `write` and `merge` are the serializers: they make sections of one
 * buffer (flush) or of the parts of several segments (merge). `open` is the reader. The core's kinds (`parts/`) are
 * rows like those of modules; writers, merges and readers get all rows as a value, `SegmentParts`.
 *
 * Contract: a part lies in sections of its segment's file, so the file's checksum covers it, and recoveries,
 * snapshots and commits carry it without knowing its kind. The entry that `write` and `merge` return is stored as
 * JSON in the file's directory; it names the sections by number and is all that `open` gets beside the file.
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

/**
 * A kind of column data: writer, merger and reader of the part that each field of this kind has. The types `Buffer`,
 * `Entry` and `View` are private to the kind; other code passes such values through.
 */
export interface SegmentPart<
  Buffer extends PartBuffer = PartBuffer,
  Entry extends PartEntry = PartEntry,
  View = unknown,
> {
  /** Name of the kind in `FieldSpec.type`, `FieldSpec.parts` and the directories of kept files. Its meaning never changes. */
  readonly kind: string;
  /** An empty buffer for a field. */
  buffer(spec: FieldSpec): Buffer;
  /** Serializes the values of a buffer, which is spent afterwards. */
  write(file: SectionWriter, buffer: Buffer, field: WrittenField): Entry;
  /** Serializes one part from the parts of several segments. Yields between pieces of work of a few milliseconds. */
  merge(file: SectionWriter, merge: PartMerge<View>): Generator<undefined, Entry>;
  /** A view in place. It holds no cursor, so several searches may share it. */
  open(file: SectionReader, entry: Entry, field: OpenField): View;
  /** Columns of the view that the core's queries, sorts and aggregations use; asked only of the kind that is the field's type. */
  columns?(view: View): Columns;
}

/** All rows by kind, made by `composeSegmentParts`. */
export type SegmentParts = ReadonlyMap<string, SegmentPart>;

/** Values of one field in the indexing buffer. */
export interface PartBuffer {
  /** Estimate of the memory held in bytes, without the 12 bytes per document that the field itself counts. */
  readonly ramBytes: number;
  /** A document with the field begins; its values follow. Documents ascend. */
  begin(doc: number): void;
  /**
   * Adds a value of the current document. Throws `OperationError` to refuse the document, which then counts as
   * deleted; values already taken may stay. `growth` limits what analysis makes of a document.
   */
  add(value: FieldValue["value"], growth: Growth): void;
}

/**
 * Directory entry of a part: JSON without members named `info`, `docCount`, `present` or `others`. `open` gets the
 * very object if the segment was written a moment ago by this process, else its JSON round trip; so no value may
 * depend on identity or on `undefined`.
 */
export type PartEntry = object;

/** The field whose part is written at a flush. */
export interface WrittenField {
  readonly info: FieldInfo;
  /** Documents that began, ascending. */
  readonly docs: Int32Array;
  /** Number of documents of the segment. */
  readonly maxDoc: number;
}

/** The field whose part is opened. */
export interface OpenField {
  readonly info: FieldInfo;
  readonly maxDoc: number;
}

/** The merge of one part of a field: the inputs' views and the new number of documents. */
export interface PartMerge<View> {
  readonly info: FieldInfo;
  /** Inputs in the order of the merged documents. */
  readonly sources: readonly PartSource<View>[];
  /** Number of documents of the merged segment. */
  readonly maxDoc: number;
}

/** One input of the merge of a part. */
export interface PartSource<View> {
  /** The view of the part; `undefined`: this segment has none for the field. */
  readonly part: View | undefined;
  /** New number of each document, ascending; -1 for documents that are left out. */
  readonly docMap: Int32Array;
}

/** Typed arrays that a section can hold. */
export type SectionArray =
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float64Array
  | BigInt64Array;

/** Writes sections of a file. */
export interface SectionWriter {
  /** Adds a section and returns its number. The array is kept by reference until the file is finished and must not change. */
  add(section: SectionArray): number;
}

/** Sections of an open file as typed views over its memory, made on demand. Each begins at a multiple of 8 bytes. */
export interface SectionReader {
  bytes(section: number): Uint8Array;
  shorts(section: number): Uint16Array;
  ints(section: number): Int32Array;
  words(section: number): Uint32Array;
  doubles(section: number): Float64Array;
  longs(section: number): BigInt64Array;
}

/** Columns that the core's searches read; `undefined`: the part has no such column. */
export interface Columns {
  readonly terms?: Terms | undefined;
  readonly norms?: Uint8Array | undefined;
  readonly numbers?: NumberColumn | undefined;
  readonly ordinals?: OrdinalColumn | undefined;
  readonly binary?: BinaryColumn | undefined;
  readonly points?: Points | undefined;
}
