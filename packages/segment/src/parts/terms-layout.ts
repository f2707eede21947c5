/**
 * Directory entries of a field's terms. Written by `terms-write.ts` and `terms-merge.ts`, read by `terms.ts`; numbers
 * are those of sections.
 */
import type { OrdinalColumnEntry } from "../ordinals.ts";
import type { SectionWriter } from "../part.ts";
import type { PostingsColumns } from "../postings-writer.ts";
import type { DictionaryWriter } from "../term-dictionary.ts";
import type { FieldInfo, FieldStats } from "../types.ts";

/** Entry of a part of kind `text` or `keyword`. */
export interface TermsEntry {
  readonly norms?: number;
  /** Terms of the inverted index, the ordinals, or both. */
  readonly dictionary: DictionaryEntry;
  readonly inverted?: InvertedEntry;
  readonly ordinals?: OrdinalColumnEntry;
}

/** Entry of a dictionary: its number of terms, and the sections of block offsets and blocks. */
export interface DictionaryEntry {
  readonly size: number;
  readonly offsets: number;
  readonly bytes: number;
}

/** Entry of an inverted index: columns by ordinal, and the streams they point into. */
export interface InvertedEntry {
  readonly stats: FieldStats;
  readonly docFreqs: number;
  readonly totalTermFreqs?: number;
  readonly starts: number;
  readonly positionStarts?: number;
  readonly postings: number;
  readonly positions?: number;
}

/** Writes a term dictionary as two sections and returns its entry. */
export function writeDictionary(file: SectionWriter, writer: DictionaryWriter): DictionaryEntry {
  const { offsets, bytes } = writer.finish();
  return { size: writer.size, offsets: file.add(offsets), bytes: file.add(bytes) };
}

/** Writes the columns of an inverted index; `docCount` is the number of documents with a term. */
export function writeInverted(
  file: SectionWriter,
  { index }: FieldInfo,
  columns: PostingsColumns,
  docCount: number,
): InvertedEntry {
  const { sumDocFreq, sumTotalTermFreq } = columns;
  const hasPositions = index === "positions" || index === "offsets";
  return {
    stats: { docCount, sumDocFreq, sumTotalTermFreq, termCount: columns.docFreqs.length },
    docFreqs: file.add(columns.docFreqs),
    ...(index === "docs" ? {} : { totalTermFreqs: file.add(columns.totalTermFreqs) }),
    starts: file.add(columns.starts),
    postings: file.add(columns.postings),
    ...(hasPositions
      ? {
          positionStarts: file.add(columns.positionStarts),
          positions: file.add(columns.positions),
        }
      : {}),
  };
}
