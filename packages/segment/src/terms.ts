/** The inverted index of one field: its dictionary, and for each term statistics and postings. */
import type { SectionReader } from "./part.ts";
import type { InvertedEntry } from "./parts/terms-layout.ts";
import { PostingsCursor, type PostingsSource } from "./postings.ts";
import type { Widths } from "./widths.ts";
import type { FieldInfo, TermDictionary, Terms } from "./types.ts";

const NO_WORDS = new Int32Array(0);
const NO_POSITIONS: Widths = {
  bytes: new Uint8Array(0),
  shorts: new Uint16Array(0),
  words: NO_WORDS,
};

interface TermsParts {
  readonly info: FieldInfo;
  readonly inverted: InvertedEntry;
  readonly dictionary: TermDictionary;
  readonly norms: Uint8Array | undefined;
}

/** Opens the inverted index in place. Cursors share `source`, which is immutable. */
export function openTerms(file: SectionReader, parts: TermsParts): Terms {
  const { info, inverted, dictionary, norms } = parts;
  // Without freqs a term's total frequency is its document frequency, so the column is not stored twice.
  const docFreqs = file.ints(inverted.docFreqs);
  const totals =
    inverted.totalTermFreqs === undefined ? docFreqs : file.ints(inverted.totalTermFreqs);
  const starts = file.ints(inverted.starts);
  const positionStarts =
    inverted.positionStarts === undefined ? NO_WORDS : file.ints(inverted.positionStarts);
  const { positions } = inverted;
  const source: PostingsSource = {
    ...widthsOf(file, inverted.postings),
    positions: positions === undefined ? NO_POSITIONS : widthsOf(file, positions),
    norms,
    hasFreqs: info.index !== "docs",
    hasPositions: positions !== undefined,
    hasOffsets: info.index === "offsets",
  };
  return {
    ...dictionary,
    stats: inverted.stats,
    index: info.index,
    docFreq: (ord) => docFreqs[ord] as number,
    totalTermFreq: (ord) => totals[ord] as number,
    postings: (ord, reuse) => {
      // A cursor may be reused only within this field; its `source` is that of the field.
      const cursor = reuse instanceof PostingsCursor ? reuse : new PostingsCursor(source);
      return cursor.open(
        docFreqs[ord] as number,
        totals[ord] as number,
        starts[ord] as number,
        positionStarts[ord] ?? 0,
      );
    },
  };
}

function widthsOf(file: SectionReader, section: number): Widths {
  return { bytes: file.bytes(section), shorts: file.shorts(section), words: file.ints(section) };
}
