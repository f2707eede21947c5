/**
 * Vocabulary of segments: documents as a writer takes them, and the interfaces a reader offers to searches.
 *
 * A segment is immutable: `maxDoc` documents numbered from 0, in one file, read in place through typed views over a
 * SharedArrayBuffer. Deletes are kept beside it in `LiveDocs`. Readers hold no cursor except in the iterators they
 * return, so any number of searches may share a reader.
 */
import type { Analyzer } from "@orrery/analysis";
import type { PartBuffer, PartEntry, SegmentPart } from "./part.ts";
import type { StoredFields } from "./stored.ts";

/** Result of `Postings.nextDoc` and `advance` past the last document; greater than every document number. */
export const NO_MORE_DOCS = 2_147_483_647;
/** Documents per block of postings; only the last block of a term may be shorter. */
export const BLOCK_SIZE = 128;
/** Lucene's limit on the UTF-8 length of a term in bytes. */
export const MAX_TERM_BYTES = 32_766;

// ---------------------------------------------------------------------------------------------- documents in

/** Contents of a field's inverted index; each option includes those before it. */
export type IndexOptions = "none" | "docs" | "freqs" | "positions" | "offsets";

/**
 * One field of the segment, as the mapper defines it. Make one object per mapped field and reuse it for all
 * documents: the writer recognises fields by identity first, then by name. Two objects of one name must agree.
 */
export interface FieldSpec {
  readonly name: string;
  /**
   * Kind of the part that has the field's columns. The core's kinds:
   * - `text`: strings, analysed;
   * - `keyword`: strings (or bytes, for ip addresses), one term each, as given;
   * - `long`: int64, as number when safe, else bigint;
   * - `double`: float64;
   * - `binary`: bytes, doc values only.
   */
  readonly type: string;
  /** Kinds of further parts, each of which gets every value as well. */
  readonly parts?: readonly string[] | undefined;
  /** Text and keyword only; `none` for other kinds. */
  readonly index: IndexOptions;
  /** Whether the length of the field is stored per document, in one byte, for scoring. Text and keyword only. */
  readonly norms: boolean;
  /** Whether the field has a column: numbers (long, double), ordinals of sorted terms (keyword, text), or bytes (binary). */
  readonly docValues: boolean;
  /** Whether values are stored in order with their documents, for range queries. Long and double only. */
  readonly points: boolean;
  /** Analyzer of the values. Text only. */
  readonly analyzer?: Analyzer | undefined;
  /** Gap in positions between two values of a text field; default: the analyzer's own, else 100. */
  readonly positionIncrementGap?: number | undefined;
}

/** One value of a field. A field with several values occurs several times, in their order. */
export interface FieldValue {
  readonly field: FieldSpec;
  readonly value: string | number | bigint | Uint8Array;
}

/** Kind of an operation: an indexed document, or a tombstone (delete, no-op) that only carries history. */
export type OperationKind = "index" | "delete" | "noop";

/** One operation of the shard's history, with all data that the segment stores of it. */
export interface DocumentInput {
  readonly kind: OperationKind;
  /** Document id; empty for a no-op. */
  readonly id: string;
  readonly routing?: string | undefined;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  /** `_source` as sent, copied by the writer; absent for tombstones, and where none is stored. */
  readonly source?: Uint8Array | undefined;
  readonly fields: readonly FieldValue[];
  /** Fields of nested documents. Each becomes a document of its own, numbered before this one. */
  readonly children?: readonly (readonly FieldValue[])[] | undefined;
}

/** The in-memory indexing buffer: takes documents until `flush` makes a segment of them. Not shared between threads. */
export interface SegmentWriter {
  /**
   * Number of documents, nested and deleted ones included. The next document's first nested document, or the document
   * itself, gets this number.
   */
  readonly maxDoc: number;
  readonly isEmpty: boolean;
  /** Estimate of the memory held in bytes, for the limit of the indexing buffer. */
  readonly ramBytes: number;
  /**
   * Analyses and adds one operation; returns its document number. Throws `OperationError`
   * (`illegal_argument_exception`, immense term) or `UnindexableError`; the document then counts as deleted and the
   * buffer stays usable. Tombstones are added as not live.
   */
  add(document: DocumentInput): number;
  /** Marks a document and its nested documents as not live. Its operation stays part of the history. */
  delete(doc: number): void;
  isLive(doc: number): boolean;
  /** Makes a segment of all added documents. The writer is spent afterwards. */
  flush(name: string): SegmentImage;
}

/** A segment before it is stored: `files` go to the disk, `liveDocs` into the commit. It can be opened at once. */
export interface SegmentImage {
  readonly name: string;
  /** Write-once files, each with header, version and checksum. */
  readonly files: readonly SegmentFile[];
  /** Live documents; `undefined`: all of them. */
  readonly liveDocs: LiveDocs | undefined;
}

/** One file of a segment. */
export interface SegmentFile {
  readonly name: string;
  /** Contents, over a SharedArrayBuffer. */
  readonly bytes: Uint8Array;
  /** The parsed directory, as long as the process that wrote the file keeps it: saves parsing it. */
  readonly directory?: object;
}

// ---------------------------------------------------------------------------------------------- live docs

/** The set of live documents. Immutable: `deleteDocs` returns another set, so that open searches keep theirs. */
export interface LiveDocs {
  readonly maxDoc: number;
  /** Number of live documents, nested ones included. */
  readonly liveCount: number;
  /** Bit `doc & 31` of word `doc >> 5` is set when the document is live. */
  readonly words: Int32Array;
}

// ---------------------------------------------------------------------------------------------- segment out

/** The members of a `FieldSpec` that a segment stores. */
export interface FieldInfo {
  readonly name: string;
  readonly type: string;
  readonly index: IndexOptions;
  readonly norms: boolean;
  readonly docValues: boolean;
  readonly points: boolean;
  readonly parts?: readonly string[] | undefined;
}

/** An open segment, without the records that only merges need. */
export interface SegmentReader {
  readonly name: string;
  /** Number of documents, nested and dead ones included. */
  readonly maxDoc: number;
  /** Number of documents that are not nested: operations, tombstones included, and documents whose indexing failed. */
  readonly rootCount: number;
  /** Size of the files in bytes, as the merge policy counts it. */
  readonly sizeBytes: number;
  readonly minSeqNo: number;
  readonly maxSeqNo: number;
  /** The fields, in order of name. */
  readonly fields: readonly FieldInfo[];
  readonly files: readonly SegmentFile[];

  field(name: string): FieldInfo | undefined;
  /**
   * The part of this kind of a field, opened at its first use; `undefined` if the segment has none. The columns below
   * are those of the part of the field's type.
   */
  part<View>(
    kind: Pick<SegmentPart<PartBuffer, PartEntry, View>, "kind" | "open">,
    field: string,
  ): View | undefined;
  /** The inverted index of a field; `undefined` if the segment has none. */
  terms(field: string): Terms | undefined;
  /** One byte per document, `intToByte4` of the field's length; `undefined`: score with norm 1. */
  norms(field: string): Uint8Array | undefined;
  /** Numeric doc values; also of `_seq_no`, `_primary_term`, `_version`. */
  numbers(field: string): NumberColumn | undefined;
  /** Sorted-set doc values: ordinals of a term dictionary. */
  ordinals(field: string): OrdinalColumn | undefined;
  binary(field: string): BinaryColumn | undefined;
  /** Points; also of `_seq_no`. */
  points(field: string): Points | undefined;
  /** Documents that have the field at all (a term, a norm or a value), for `exists`; `undefined`: none has it. */
  documentsWith(field: string): DocSet | undefined;
  /** Documents that are not nested; `undefined`: no document is nested. */
  readonly roots: DocSet | undefined;

  /** The newest live document with this id, or -1. Without `live` dead documents count, too. Never a nested document. */
  find(id: IdKey, live: LiveDocs | undefined): number;
  /** All operations with this id, tombstones included, in order of document number. */
  findAll(id: IdKey): number[];
  stored(doc: number): StoredDocument;
  /** The `_id` alone. */
  id(doc: number): string;
  /** `_source` as sent: a view, not a copy. `undefined`: none is stored. */
  source(doc: number): Uint8Array | undefined;
  seqNo(doc: number): number;
  primaryTerm(doc: number): number;
  version(doc: number): number;
  kind(doc: number): OperationKind;
  /** Root documents with a sequence number in [from, to], in that order: the operations that a recovery replays. */
  operations(fromSeqNo: number, toSeqNo: number): Int32Array;
}

/** A reader with the records that merges copy. */
export interface WholeSegmentReader extends SegmentReader {
  /** Records of the stored documents. */
  readonly storedFields: StoredFields;
}

/** An id with its hash, made once and looked up in many segments. */
export interface IdKey {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly hash: number;
}

/** All stored data of one operation. */
export interface StoredDocument {
  readonly kind: OperationKind;
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: Uint8Array | undefined;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
}

/** A set of documents of one segment; `words` as in `LiveDocs`. */
export interface DocSet {
  readonly count: number;
  /** Bits of the set; `undefined`: every document is in it. */
  readonly words: Int32Array | undefined;
  has(doc: number): boolean;
}

// ---------------------------------------------------------------------------------------------- inverted index

/** Statistics of one field of one segment. Deleted documents count, as in Lucene, until a merge drops them. */
export interface FieldStats {
  /** Documents with at least one term. */
  readonly docCount: number;
  /** Number of tokens; equal to `sumDocFreq` for an index without freqs. */
  readonly sumTotalTermFreq: number;
  /** Number of postings: pairs of term and document. */
  readonly sumDocFreq: number;
  readonly termCount: number;
}

/** Terms of one field in unsigned byte order; the ordinal of a term is its rank. */
export interface Terms extends TermDictionary {
  readonly stats: FieldStats;
  readonly index: IndexOptions;
  docFreq(ord: number): number;
  totalTermFreq(ord: number): number;
  /**
   * A cursor over the documents of a term, before the first one. `reuse` is a cursor of this same `Terms` that is no
   * longer needed; it saves an allocation per term.
   */
  postings(ord: number, reuse?: Postings): Postings;
}

/** The sorted terms of an inverted index or an ordinal column. */
export interface TermDictionary {
  readonly size: number;
  /** Ordinal of the term; -1 if absent. */
  find(term: Uint8Array): number;
  /** Ordinal of the first term that is at least `term`; `size` if there is none. */
  ceiling(term: Uint8Array): number;
  /** A copy of the term's bytes. */
  term(ord: number): Uint8Array;
  text(ord: number): string;
  /** A cursor over terms from ordinal `from` on; far faster than `term` for many in a row. */
  cursor(from: number): TermCursor;
  /** Ordinals [from, to) of the terms with this prefix. */
  prefixRange(prefix: Uint8Array): { readonly from: number; readonly to: number };
}

/** Cursor over terms. `ord` is one before `from` until the first `next`; `bytes` and `length` change with each `next`. */
export interface TermCursor {
  readonly ord: number;
  /** Buffer whose first `length` bytes are the term. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Moves to the next term; false after the last. */
  next(): boolean;
  text(): string;
}

/**
 * Cursor over the documents of one term, ascending. `docId()` is -1 at first and `NO_MORE_DOCS` after the last.
 *
 * Bounds: `shallowAdvance(target)` chooses the block of `target` without moving the cursor; `blockMaxScore` then
 * bounds every score in it, so that top-k searches can skip it. Loops over many documents use `nextBlock`, which
 * fills `docs` and `freqs`.
 */
export interface Postings {
  readonly docFreq: number;
  readonly totalTermFreq: number;
  docId(): number;
  nextDoc(): number;
  /** Moves to the first document at or after `target`, which must be greater than `docId()`. */
  advance(target: number): number;
  /** Freq of the current document; 1 when the index has no freqs. */
  freq(): number;
  /** The next position of the current document, or -1 when all have been read or the index has none. */
  nextPosition(): number;
  /**
   * Writes all positions of the current document into `target` and returns their number, `freq()`. `target` must have
   * room for them.
   */
  readPositions(target: Int32Array): number;
  /**
   * Writes all positions of the documents that the last `nextBlock` returned, one document after the other, into
   * `target`, which must have room for the sum of their freqs. Returns that sum.
   */
  readBlockPositions(target: Int32Array): number;
  /** Start offset of the position returned last; -1 for an index without offsets. */
  startOffset(): number;
  /** End offset of the position returned last; -1 for an index without offsets. */
  endOffset(): number;

  /**
   * Chooses the block of `target`; returns its last document, or `NO_MORE_DOCS` past the end. `target` must not lie
   * before the current block.
   */
  shallowAdvance(target: number): number;
  /** Upper bound of the scores in the chosen block. */
  blockMaxScore(scorer: Bm25Scorer): number;
  /** Upper bound of the scores of all documents of the term. */
  maxScore(scorer: Bm25Scorer): number;
  /** Highest freq, and lowest norm (as an unsigned byte, that is, shortest field), in the chosen block. */
  blockMaxFreq(): number;
  blockMinNorm(): number;

  /**
   * Decodes the rest of the current block, or else the next one, into `docs` and `freqs`; returns the number of
   * documents, 0 after the last. The cursor then stands on the last of them. Without `needsFreqs` the contents of
   * `freqs` are undefined.
   */
  nextBlock(needsFreqs?: boolean): number;
  /**
   * Prepares `nextBlock` to return the block of `target`, or the rest of it if it is the current one; false past the
   * end. `target` must be greater than `docId()`. No document is current until then.
   */
  advanceBlock(target: number): boolean;
  /** Documents of the last `nextBlock`, valid until the cursor moves. */
  readonly docs: Int32Array;
  readonly freqs: Int32Array;
}

/** BM25 of one term or phrase, with its collection statistics inside; see `createBm25Scorer`. */
export interface Bm25Scorer {
  /** boost × idf, as a float: the limit of the score as freq grows. */
  readonly weight: number;
  /** 1 / (k1 × (1 − b + b × length / avgdl)) for each norm byte. */
  readonly normInverse: Float32Array;
  score(freq: number, norm: number): number;
}

// ---------------------------------------------------------------------------------------------- columns

/**
 * Sorted-numeric doc values. The values of a document are `values[start(doc)]` to `values[end(doc) - 1]`, ascending.
 * If `isDense`, index and document are the same number, so loops can read `values` directly.
 */
export interface NumberColumn {
  readonly type: "long" | "double";
  /** The narrowest of the three representations that is exact for every value. */
  readonly values: Int32Array | Float64Array | BigInt64Array;
  /** Whether every document has exactly one value. */
  readonly isDense: boolean;
  readonly isMultiValued: boolean;
  readonly docCount: number;
  /** Smallest and largest value, rounded to double in an int64 column; `NaN` without values. */
  readonly min: number;
  readonly max: number;
  has(doc: number): boolean;
  count(doc: number): number;
  start(doc: number): number;
  end(doc: number): number;
  /** The smallest value as a double; valid only if `has(doc)`. */
  value(doc: number): number;
  valueAt(index: number): number;
  /** The exact value; in a double column truncated to an integer. */
  bigintAt(index: number): bigint;
  readonly documents: DocSet;
}

/** Sorted-set doc values: for each document its distinct ordinals, ascending. */
export interface OrdinalColumn {
  readonly dictionary: TermDictionary;
  /** The ordinals of a document are `ords[start(doc)]` to `ords[end(doc) - 1]`; if `isDense`, `ords[doc]`. */
  readonly ords: Int32Array;
  readonly isDense: boolean;
  readonly isMultiValued: boolean;
  readonly docCount: number;
  has(doc: number): boolean;
  count(doc: number): number;
  start(doc: number): number;
  end(doc: number): number;
  /** The smallest ordinal of the document; -1 without a value. */
  ord(doc: number): number;
  readonly documents: DocSet;
}

/** Binary doc values: byte strings by document. */
export interface BinaryColumn {
  readonly docCount: number;
  /** Values in the order in which they were added; views, not copies. */
  values(doc: number): Uint8Array[];
  /** The first value; `undefined` without any. */
  value(doc: number): Uint8Array | undefined;
  readonly documents: DocSet;
}

/** All values of a numeric field in ascending order, each with its document; the counterpart of Lucene's BKD tree. */
export interface Points {
  readonly type: "long" | "double";
  readonly values: Int32Array | Float64Array | BigInt64Array;
  /** `docs[i]` has `values[i]`; equal values are in document order. */
  readonly docs: Int32Array;
  readonly docCount: number;
  readonly min: number;
  readonly max: number;
  /** Index of the first value that is ≥ `value`. Exact for bigints; a number may be infinite or fractional. */
  lowerBound(value: number | bigint): number;
  /** Index of the first value that is > `value`. */
  upperBound(value: number | bigint): number;
}
