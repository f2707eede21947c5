/**
 * The vocabulary of segments: what a document looks like when it enters, and what a reader offers when it searches.
 *
 * A segment is immutable: `maxDoc` documents numbered from 0, one file, read in place through typed views over a
 * SharedArrayBuffer. What changes after the fact (deletes) lives beside it in `LiveDocs`. Readers hold no cursor
 * except in the iterators they hand out, so any number of searches may share one reader.
 */
import type { Analyzer } from "@orrery/analysis";
import type { PartBuffer, PartEntry, SegmentPart } from "./part.ts";
import type { StoredFields } from "./stored.ts";

/** What `Postings.nextDoc` and `advance` return past the last document. */
export const NO_MORE_DOCS = 2_147_483_647;
/** Postings come in blocks of this many documents; only the last block of a term may be shorter. */
export const BLOCK_SIZE = 128;
/** Lucene's limit on a term's UTF-8 length. */
export const MAX_TERM_BYTES = 32_766;

// ---------------------------------------------------------------------------------------------- documents in

/** What the inverted index of a field records; each member includes those before it. */
export type IndexOptions = "none" | "docs" | "freqs" | "positions" | "offsets";

/**
 * One field of the segment as the mapper wants it. Make one object per mapped field and reuse it for every document:
 * the writer recognises fields by identity first, then by name. Two objects of one name must agree.
 */
export interface FieldSpec {
  readonly name: string;
  /**
   * The kind of the part that has the field's columns. The core's kinds:
   * - `text`: strings, analysed; - `keyword`: strings (or bytes: ip addresses), one term each, as given;
   * - `long`: int64, as number when safe, else bigint; - `double`: float64; - `binary`: bytes, doc values only.
   */
  readonly type: string;
  /** Kinds of other parts that take each value, too. */
  readonly parts?: readonly string[] | undefined;
  /** Text and keyword only; `none` for the others. */
  readonly index: IndexOptions;
  /** One byte of field length per document, for scoring. Text and keyword only. */
  readonly norms: boolean;
  /** A column: numbers in order (long, double), sorted terms (keyword, text), bytes (binary). */
  readonly docValues: boolean;
  /** Values in order with their documents, for ranges. Long and double only. */
  readonly points: boolean;
  /** Text only. */
  readonly analyzer?: Analyzer | undefined;
  /** Positions between two values of a text field. Default 100, or the analyzer's own. */
  readonly positionIncrementGap?: number | undefined;
}

/** One value; a field with several values occurs several times, in order. */
export interface FieldValue {
  readonly field: FieldSpec;
  readonly value: string | number | bigint | Uint8Array;
}

/** What the operation was: an indexed document, or a tombstone that only carries history. */
export type OperationKind = "index" | "delete" | "noop";

/** One operation of the shard's history, with everything the segment stores about it. */
export interface DocumentInput {
  readonly kind: OperationKind;
  /** Empty for a no-op. */
  readonly id: string;
  readonly routing?: string | undefined;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  /** `_source` exactly as sent; copied by the writer. For a no-op: its reason. */
  readonly source?: Uint8Array | undefined;
  readonly fields: readonly FieldValue[];
  /** Nested documents, each as its fields: they become documents of their own right before this one. */
  readonly children?: readonly (readonly FieldValue[])[] | undefined;
}

/** The in-memory indexing buffer: takes documents until `flush` turns them into a segment. One thread's own. */
export interface SegmentWriter {
  /** Documents taken so far, nested and deleted ones included: the number the next document gets (its first child's). */
  readonly maxDoc: number;
  readonly isEmpty: boolean;
  /** Estimate of the memory held, for the indexing buffer limit. */
  readonly ramBytes: number;
  /**
   * Analyses and adds one operation; returns its document number. Throws `OperationError`
   * (`illegal_argument_exception`, immense term) and then leaves the buffer as it was, searchably: the document counts
   * as deleted. Tombstones (`delete`, `noop`) are added as not live.
   */
  add(document: DocumentInput): number;
  /** Marks a document (and its nested ones) as not live. Its operation stays part of the history. */
  delete(doc: number): void;
  isLive(doc: number): boolean;
  /** The segment of all that was added; the writer is spent afterwards. */
  flush(name: string): SegmentImage;
}

/** A segment ready to be stored: hand `files` to the disk, `liveDocs` to the commit, or open it at once. */
export interface SegmentImage {
  readonly name: string;
  /** Write-once files, each with header, version and checksum. */
  readonly files: readonly SegmentFile[];
  /** `undefined`: every document is live. */
  readonly liveDocs: LiveDocs | undefined;
}

export interface SegmentFile {
  readonly name: string;
  /** Over a SharedArrayBuffer. */
  readonly bytes: Uint8Array;
  /** What the bytes say about themselves, while their writer still has it: saves reading it. */
  readonly directory?: object;
}

// ---------------------------------------------------------------------------------------------- live docs

/** Which documents count. Immutable: `deleteDocs` returns another one, so that open searches keep theirs. */
export interface LiveDocs {
  readonly maxDoc: number;
  /** Live documents, nested ones included. */
  readonly liveCount: number;
  /** Bit `doc & 31` of word `doc >> 5` is set when the document is live. */
  readonly words: Int32Array;
}

// ---------------------------------------------------------------------------------------------- segment out

/** The members of a `FieldSpec` that a segment keeps. */
export interface FieldInfo {
  readonly name: string;
  readonly type: string;
  readonly index: IndexOptions;
  readonly norms: boolean;
  readonly docValues: boolean;
  readonly points: boolean;
  readonly parts?: readonly string[] | undefined;
}

export interface SegmentReader {
  readonly name: string;
  /** Documents, live or not, nested ones included. */
  readonly maxDoc: number;
  /** Operations (documents with an `_id`, tombstones included): `maxDoc` minus nested documents. */
  readonly rootCount: number;
  readonly sizeBytes: number;
  readonly minSeqNo: number;
  readonly maxSeqNo: number;
  /** In order of name. */
  readonly fields: readonly FieldInfo[];
  readonly files: readonly SegmentFile[];

  field(name: string): FieldInfo | undefined;
  /**
   * A field's part of this kind, opened when it is first asked for; `undefined` if the segment has none. The columns below are
   * those of the part of the field's type.
   */
  part<View>(
    kind: Pick<SegmentPart<PartBuffer, PartEntry, View>, "kind" | "open">,
    field: string,
  ): View | undefined;
  /** The inverted index of a field; `undefined` if the segment has none. */
  terms(field: string): Terms | undefined;
  /** One byte per document, Lucene's `SmallFloat.intToByte4`; `undefined`: score with norm 1. */
  norms(field: string): Uint8Array | undefined;
  /** Also for `_seq_no`, `_primary_term`, `_version`. */
  numbers(field: string): NumberColumn | undefined;
  /** Sorted-set doc values: ordinals into a term dictionary. */
  ordinals(field: string): OrdinalColumn | undefined;
  binary(field: string): BinaryColumn | undefined;
  /** Also for `_seq_no`. */
  points(field: string): Points | undefined;
  /** Documents that have the field at all (doc values, norms or terms), for `exists`; `undefined`: none has. */
  documentsWith(field: string): DocSet | undefined;
  /** Set when the segment has nested documents: the documents that are not nested. `undefined`: all are roots. */
  readonly roots: DocSet | undefined;

  /** The newest live document with this id, or -1. `live` undefined: every document counts. Never a nested one. */
  find(id: IdKey, live: LiveDocs | undefined): number;
  /** All operations with this id, tombstones included, in order of document number. */
  findAll(id: IdKey): number[];
  stored(doc: number): StoredDocument;
  /** `_id` alone. */
  id(doc: number): string;
  /** `_source` bytes as sent: a view, not a copy. `undefined`: none stored. */
  source(doc: number): Uint8Array | undefined;
  seqNo(doc: number): number;
  primaryTerm(doc: number): number;
  version(doc: number): number;
  kind(doc: number): OperationKind;
  /** Root documents whose seqNo is in [from, to], in order of seqNo: the operations a recovery replays. */
  operations(fromSeqNo: number, toSeqNo: number): Int32Array;
}

/** The reader of a whole segment, which merges take. */
export interface WholeSegmentReader extends SegmentReader {
  /** The records behind stored documents, copied by merges as they are. */
  readonly storedFields: StoredFields;
}

/** An id with its hash, made once and looked up in many segments. */
export interface IdKey {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly hash: number;
}

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
  /** `undefined`: every document is in the set. */
  readonly words: Int32Array | undefined;
  has(doc: number): boolean;
}

// ---------------------------------------------------------------------------------------------- inverted index

/** Statistics over one field of one segment, deleted documents included, as Lucene counts. */
export interface FieldStats {
  /** Documents with at least one term. */
  readonly docCount: number;
  /** Tokens. For an index without freqs: equal to `sumDocFreq`. */
  readonly sumTotalTermFreq: number;
  /** Postings. */
  readonly sumDocFreq: number;
  readonly termCount: number;
}

/** Terms of one field in unsigned byte order; a term's ordinal is its rank. */
export interface Terms extends TermDictionary {
  readonly stats: FieldStats;
  readonly index: IndexOptions;
  docFreq(ord: number): number;
  totalTermFreq(ord: number): number;
  /**
   * An iterator over the term's documents, before the first one. `reuse`: one that this same `Terms` gave and that is
   * no longer needed, when iterators are wanted by the thousand.
   */
  postings(ord: number, reuse?: Postings): Postings;
}

/** The sorted terms behind an inverted index or an ordinal column. */
export interface TermDictionary {
  readonly size: number;
  /** The term's ordinal, or -1. */
  find(term: Uint8Array): number;
  /** Ordinal of the first term that is at least `term`; `size` if there is none. */
  ceiling(term: Uint8Array): number;
  /** A copy of the term's bytes. */
  term(ord: number): Uint8Array;
  text(ord: number): string;
  /** Walks terms from ordinal `from` on; much faster than `term` for many in a row. */
  cursor(from: number): TermCursor;
  /** Ordinals [from, to) of the terms that start with `prefix`. */
  prefixRange(prefix: Uint8Array): { readonly from: number; readonly to: number };
}

/** `ord` is -1 before the first `next`; `bytes` and `length` change with each `next`. */
export interface TermCursor {
  readonly ord: number;
  /** Buffer: only the first `length` bytes are the term. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Moves on; false past the last term. */
  next(): boolean;
  text(): string;
}

/**
 * The documents of one term in order, one cursor. `docId()` is -1 at first and `NO_MORE_DOCS` past the end.
 *
 * Blocks: `shallowAdvance(target)` names the block `target` falls into without moving the cursor, after which
 * `blockMaxScore` bounds every score in it. Loops over many documents use `nextBlock`, which fills `docs` and `freqs`.
 */
export interface Postings {
  readonly docFreq: number;
  readonly totalTermFreq: number;
  docId(): number;
  nextDoc(): number;
  /** The first document at or after `target`, which must be greater than `docId()`. */
  advance(target: number): number;
  /** 1 when the index has no freqs. */
  freq(): number;
  /** The next position in the current document, or -1. Call at most `freq()` times with positions to come. */
  nextPosition(): number;
  /** All positions of the current document into `target` from 0 on; returns `freq()`. `target` grows at the caller's. */
  readPositions(target: Int32Array): number;
  /**
   * All positions of the documents the last `nextBlock` handed over, document after document, into `target`, which
   * must hold the sum of their freqs. Returns that sum.
   */
  readBlockPositions(target: Int32Array): number;
  /** Of the position returned last; -1 without offsets. */
  startOffset(): number;
  endOffset(): number;

  /** Block of `target`: its last document (`NO_MORE_DOCS` past the end). `target` must not lie before the current block. */
  shallowAdvance(target: number): number;
  /** Upper bound of the score of any document in the block `shallowAdvance` chose. */
  blockMaxScore(scorer: Bm25Scorer): number;
  /** Upper bound over the whole term. */
  maxScore(scorer: Bm25Scorer): number;
  /** Most frequent / shortest (norm as unsigned byte) in the block `shallowAdvance` chose. */
  blockMaxFreq(): number;
  blockMinNorm(): number;

  /**
   * Bulk: decodes the rest of the current block, or the next one, into `docs` and `freqs`; returns how many (0: over).
   * The cursor stands on the last of them afterwards. Without need for freqs, `freqs` is left as it is.
   */
  nextBlock(needsFreqs?: boolean): number;
  /**
   * So that the next `nextBlock` hands over the block of `target`, or what is left of it when it is the current one; `false` past
   * the end. `target` must be greater than `docId()`. Until then there is no current document.
   */
  advanceBlock(target: number): boolean;
  /** Valid after `nextBlock` until the iterator moves. */
  readonly docs: Int32Array;
  readonly freqs: Int32Array;
}

/** BM25 of one term (or phrase) with its collection statistics inside; see `createBm25Scorer`. */
export interface Bm25Scorer {
  /** boost × idf, a float. */
  readonly weight: number;
  /** 1 / (k1 × (1 − b + b × length / avgdl)) per norm byte. */
  readonly normInverse: Float32Array;
  score(freq: number, norm: number): number;
}

// ---------------------------------------------------------------------------------------------- columns

/**
 * Sorted-numeric doc values. Index `i` walks `values`; a document's values are `values[start(doc)]` to
 * `values[end(doc) - 1]`, ascending. When `isDense` index and document are the same number: loop over `values`.
 */
export interface NumberColumn {
  readonly type: "long" | "double";
  /** The narrowest of the three that is exact for every value. */
  readonly values: Int32Array | Float64Array | BigInt64Array;
  /** Every document has exactly one value. */
  readonly isDense: boolean;
  readonly isMultiValued: boolean;
  readonly docCount: number;
  /** Rounded to double for an int64 column; both `NaN` if there are no values. */
  readonly min: number;
  readonly max: number;
  has(doc: number): boolean;
  count(doc: number): number;
  start(doc: number): number;
  end(doc: number): number;
  /** The smallest value as a double; only if `has(doc)`. */
  value(doc: number): number;
  valueAt(index: number): number;
  /** Exact; for double columns too it is the value truncated. */
  bigintAt(index: number): bigint;
  readonly documents: DocSet;
}

/** Sorted-set doc values: per document ascending distinct ordinals. */
export interface OrdinalColumn {
  readonly dictionary: TermDictionary;
  /** `ords[start(doc)]` … `ords[end(doc) - 1]`; when `isDense`, `ords[doc]`. */
  readonly ords: Int32Array;
  readonly isDense: boolean;
  readonly isMultiValued: boolean;
  readonly docCount: number;
  has(doc: number): boolean;
  count(doc: number): number;
  start(doc: number): number;
  end(doc: number): number;
  /** The smallest ordinal, or -1 without a value. */
  ord(doc: number): number;
  readonly documents: DocSet;
}

export interface BinaryColumn {
  readonly docCount: number;
  /** Values in the order they were added; views, not copies. */
  values(doc: number): Uint8Array[];
  /** The first value. */
  value(doc: number): Uint8Array | undefined;
  readonly documents: DocSet;
}

/** All values of a numeric field in order, each with its document: what Lucene keeps in a BKD tree. */
export interface Points {
  readonly type: "long" | "double";
  readonly values: Int32Array | Float64Array | BigInt64Array;
  /** `docs[i]` has `values[i]`; equal values are in document order. */
  readonly docs: Int32Array;
  readonly docCount: number;
  readonly min: number;
  readonly max: number;
  /** First index whose value is ≥ `value`. Exact for bigint; numbers may be infinite or fractional. */
  lowerBound(value: number | bigint): number;
  /** First index whose value is > `value`. */
  upperBound(value: number | bigint): number;
}
