/** What a segment file's directory says: where each part lies. Written by `assemble.ts`, read by `reader.ts`. */
import type { BinaryColumnEntry } from "./binary.ts";
import type { NumberColumnEntry, PointsEntry } from "./numbers.ts";
import type { OrdinalColumnEntry } from "./ordinals.ts";
import type { StoredEntry } from "./stored.ts";
import type { FieldInfo, FieldStats } from "./types.ts";

export interface SegmentDirectory {
  readonly name: string;
  readonly maxDoc: number;
  readonly rootCount: number;
  readonly minSeqNo: number;
  readonly maxSeqNo: number;
  /** Section of the bits of documents that are not nested, if any is. */
  readonly roots?: number;
  readonly stored: StoredEntry;
  readonly idTable: number;
  readonly seqNos: NumberColumnEntry;
  readonly seqNoPoints: PointsEntry;
  readonly primaryTerms: NumberColumnEntry;
  readonly versions: NumberColumnEntry;
  readonly fields: readonly FieldEntry[];
}

export interface FieldEntry {
  readonly info: FieldInfo;
  /** Documents that have the field: how many, and the section of their bits unless all do. */
  readonly docCount: number;
  readonly present?: number;
  readonly norms?: number;
  /** Terms of the inverted index, of the ordinals, or of both. */
  readonly dictionary?: DictionaryEntry;
  readonly inverted?: InvertedEntry;
  readonly numbers?: NumberColumnEntry;
  readonly ordinals?: OrdinalColumnEntry;
  readonly binary?: BinaryColumnEntry;
  readonly points?: PointsEntry;
}

export interface DictionaryEntry {
  readonly size: number;
  readonly offsets: number;
  readonly bytes: number;
}

export interface InvertedEntry {
  readonly stats: FieldStats;
  readonly docFreqs: number;
  readonly totalTermFreqs?: number;
  readonly starts: number;
  readonly positionStarts?: number;
  readonly postings: number;
  readonly positions?: number;
}
