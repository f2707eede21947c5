/** Where the terms of a field lie in their file. Written by `terms-write.ts` and `terms-merge.ts`, read by `terms.ts`. */
import type { OrdinalColumnEntry } from "../ordinals.ts";
import type { SectionWriter } from "../part.ts";
import type { PostingsColumns } from "../postings-writer.ts";
import type { DictionaryWriter } from "../term-dictionary.ts";
import type { FieldInfo, FieldStats } from "../types.ts";

export interface TermsEntry {
  readonly norms?: number;
  /** Terms of the inverted index, of the ordinals, or of both. */
  readonly dictionary: DictionaryEntry;
  readonly inverted?: InvertedEntry;
  readonly ordinals?: OrdinalColumnEntry;
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

export function writeDictionary(file: SectionWriter, writer: DictionaryWriter): DictionaryEntry {
  const { offsets, bytes } = writer.finish();
  return { size: writer.size, offsets: file.add(offsets), bytes: file.add(bytes) };
}

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
