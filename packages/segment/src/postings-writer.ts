/**
 * Serializes postings. `postings.ts` reads this format; the two files change together.
 *
 * Per term, columns by ordinal: docFreq, totalTermFreq (with freqs), `start`, `positionStart`.
 * - docFreq 1: `start` is the document itself. `positionStart` is the position if there is exactly one and no
 *   offsets, else the byte offset of the positions (a multiple of 4) plus their width code.
 * - docFreq > 1: `start` is the byte offset of the block table, 5 words per block: last document, first document, data
 *   offset, position offset, flags. With several blocks two words precede it: offset and number of the term's impacts.
 *
 * Block data: impacts (words), documents minus the first one, freqs. Each column is 1, 2 or 4 bytes wide, the
 * narrowest that fits the block.
 */
import { assert } from "@orrery/stdx";
import { ByteList, IntList } from "./growable.ts";
import { BLOCK_SIZE, type IndexOptions } from "./types.ts";

/** Number of 32-bit words that each block has in the block table of its term. */
export const TABLE_WORDS_PER_BLOCK = 5;
/**
 * Number of 32-bit words before the block table of a term that has several blocks: the offset and the number of the
 * term's impacts.
 */
export const HEAD_WORDS = 2;
/** Largest freq that an impact can express in its 24 bits; a reader scores it as infinite. */
export const MAX_IMPACT_FREQ = 0xffffff;
// Impacts per block and per term. More give tighter bounds but cost a score each whenever a bound is needed.
const MAX_BLOCK_IMPACTS = 6;
const MAX_TERM_IMPACTS = 12;

/** Bit position, in the flags word of a block, of the width code of its documents: 0: 1 byte, 1: 2 bytes, 2: 4 bytes. */
export const DOC_WIDTH_SHIFT = 0;
/** Bit position of the width code of the block's freqs, or of `FREQ_ALL_ONE`. */
export const FREQ_WIDTH_SHIFT = 2;
/** Bit position of the width code of the block's positions. */
export const POSITION_WIDTH_SHIFT = 4;
/** Bit position of the number of the block's impacts, in the bits above. */
export const IMPACTS_SHIFT = 8;
/** Code in place of a freq width: every freq of the block is 1 and no column is stored. */
export const FREQ_ALL_ONE = 3;

/** Postings of one term, in document order. */
export interface PostingList {
  readonly docs: Int32Array;
  /** Freqs by document; ignored for an index without freqs. */
  readonly freqs: Int32Array;
  readonly count: number;
  /** Positions of all documents, one after the other, from index `positionsFrom` on. */
  readonly positions: Int32Array;
  readonly startOffsets: Int32Array;
  readonly endOffsets: Int32Array;
  readonly positionsFrom: number;
}

/** The finished columns of a field, indexed by ordinal, and the two byte streams they point into. */
export interface PostingsColumns {
  readonly docFreqs: Int32Array;
  /** Empty for an index without freqs. */
  readonly totalTermFreqs: Int32Array;
  readonly starts: Int32Array;
  /** Empty for an index without positions. */
  readonly positionStarts: Int32Array;
  readonly postings: Uint8Array;
  readonly positions: Uint8Array;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
}

/** Takes the terms of a field in ascending order; the ordinal of a term is the number of `add` calls before its own. */
export interface PostingsWriter {
  add(list: PostingList): void;
  finish(): PostingsColumns;
}

/**
 * A writer for one field. `norms` by document, `undefined` for a field without norms; `tokens` is an estimate that
 * sizes the buffers.
 */
export function createPostingsWriter(
  index: IndexOptions,
  norms: Uint8Array | undefined,
  tokens: number,
): PostingsWriter {
  return new Writer(index, norms, tokens);
}

/** Average bytes per position and per posting, with a margin, so that buffers rarely grow. */
const BYTES_PER_TOKEN = 1.4;
const BYTES_PER_POSTING = 3.5;

class Writer implements PostingsWriter {
  readonly #norms: Uint8Array | undefined;
  readonly #hasFreqs: boolean;
  readonly #hasPositions: boolean;
  readonly #hasOffsets: boolean;
  readonly #docFreqs = new IntList(256);
  readonly #totalTermFreqs = new IntList(256);
  readonly #starts = new IntList(256);
  readonly #positionStarts = new IntList(256);
  readonly #postings: ByteList;
  readonly #positions: ByteList;
  #sumDocFreq = 0;
  #sumTotalTermFreq = 0;

  constructor(index: IndexOptions, norms: Uint8Array | undefined, tokens: number) {
    this.#postings = new ByteList(256 + Math.ceil(tokens * BYTES_PER_POSTING));
    this.#norms = norms;
    this.#hasFreqs = index !== "docs";
    this.#hasPositions = index === "positions" || index === "offsets";
    this.#hasOffsets = index === "offsets";
    this.#positions = new ByteList(
      this.#hasPositions ? 256 + Math.ceil(tokens * BYTES_PER_TOKEN) : 16,
    );
  }

  add(list: PostingList): void {
    const { docs, freqs, count } = list;
    // A term without documents must not reach the dictionary: readers derive the number of blocks from docFreq.
    assert(count > 0, "a term without documents");
    let total = count;
    if (this.#hasFreqs) {
      total = 0;
      for (let i = 0; i < count; i += 1) total += freqs[i] as number;
      this.#totalTermFreqs.push(total);
    }
    this.#docFreqs.push(count);
    this.#sumDocFreq += count;
    this.#sumTotalTermFreq += total;
    // Most terms of a text field occur in one document (Zipf's law); they need no block, no table and no impacts.
    if (count === 1) this.#addSingle(docs[0] as number, total, list);
    else this.#addMany(list);
  }

  finish(): PostingsColumns {
    assert(this.#postings.length < 2 ** 32 && this.#positions.length < 2 ** 32, "field too large");
    return {
      docFreqs: this.#docFreqs.view(),
      totalTermFreqs: this.#totalTermFreqs.view(),
      starts: this.#starts.view(),
      positionStarts: this.#positionStarts.view(),
      postings: this.#postings.view(),
      positions: this.#positions.view(),
      sumDocFreq: this.#sumDocFreq,
      sumTotalTermFreq: this.#sumTotalTermFreq,
    };
  }

  /** A term with a single document: the document is in the term's own column. */
  #addSingle(doc: number, freq: number, list: PostingList): void {
    this.#starts.push(doc);
    if (!this.#hasPositions) return;
    if (freq === 1 && !this.#hasOffsets) {
      this.#positionStarts.push(list.positions[list.positionsFrom] as number);
      return;
    }
    // Aligned to 4 so that the two low bits of the offset are free for the width code.
    this.#positions.align(4);
    const at = this.#positions.length;
    const width = this.#writePositions(list, list.positionsFrom, freq);
    this.#positionStarts.push(at | width);
  }

  /** A term with several documents: reserves the table, then writes blocks and fills in the table's entries. */
  #addMany(list: PostingList): void {
    const { count, docs } = list;
    // A placeholder keeps `positionStarts` indexed by ordinal; blocks have position offsets of their own.
    if (this.#hasPositions) this.#positionStarts.push(0);
    const blocks = Math.ceil(count / BLOCK_SIZE);
    const head = blocks === 1 ? 0 : HEAD_WORDS;
    const out = this.#postings;
    out.align(4);
    const start = out.length >>> 2;
    this.#starts.push(out.length);
    const size = (head + blocks * TABLE_WORDS_PER_BLOCK) * 4;
    out.reserve(size);
    // The table precedes its blocks so that skipping reads contiguous words. Indices into `words` stay valid when the
    // buffer grows, pointers into the old array do not, so `out.words` is read anew at each use.
    out.length += size;
    if (blocks > 1) termImpacts.clear();
    let { positionsFrom } = list;
    for (let block = 0; block < blocks; block += 1) {
      const from = block * BLOCK_SIZE;
      const to = Math.min(count, from + BLOCK_SIZE);
      const entry = start + head + block * TABLE_WORDS_PER_BLOCK;
      out.words[entry] = docs[to - 1] as number;
      out.words[entry + 1] = docs[from] as number;
      positionsFrom += this.#addBlock(list, {
        from,
        to,
        positionsFrom,
        entry,
        isOnly: blocks === 1,
      });
    }
    // The impacts of the term are known only after its last block; that is why the head holds their offset.
    if (blocks > 1) this.#addTermImpacts(start);
  }

  /** Writes the impacts of the whole term, collected from those of its blocks, and fills in the head. */
  #addTermImpacts(start: number): void {
    const out = this.#postings;
    const impacts = termImpacts;
    impacts.collect(MAX_TERM_IMPACTS);
    out.align(4);
    out.words[start] = out.length;
    out.words[start + 1] = impacts.count;
    for (let i = 0; i < impacts.count; i += 1) out.word(impacts.found[i] as number);
  }

  /** Writes one block and its table entry; returns the number of positions consumed. */
  #addBlock(list: PostingList, range: Range): number {
    const { docs, freqs } = list;
    const { from, to, entry } = range;
    const out = this.#postings;
    let total = to - from;
    let maxFreq = 1;
    if (this.#hasFreqs) {
      total = 0;
      for (let i = from; i < to; i += 1) {
        const freq = freqs[i] as number;
        total += freq;
        if (freq > maxFreq) maxFreq = freq;
      }
    }
    // Data begins with impacts, which are words, so it must be aligned to 4.
    out.align(4);
    const dataAt = out.length;
    const impacts = this.#addImpacts(list, range, maxFreq);
    // Documents are stored minus the first one of the block, not as gaps: any document can then be read without
    // decoding those before it.
    const first = docs[from] as number;
    const docWidth = widthOf((docs[to - 1] as number) - first);
    writeColumn(out, docWidth, docs, from, to, first);
    let freqWidth = FREQ_ALL_ONE;
    // A block in which every term occurs once per document (titles, keywords) stores no freqs.
    if (maxFreq > 1) {
      freqWidth = widthOf(maxFreq);
      writeColumn(out, freqWidth, freqs, from, to, 0);
    }
    let positionsAt = 0;
    let positionWidth = 0;
    if (this.#hasPositions) {
      // Positions of a block are one run in their own stream, so that searches without positions never load them.
      this.#positions.align(4);
      positionsAt = this.#positions.length;
      positionWidth = this.#writePositions(list, range.positionsFrom, total);
    }
    out.words[entry + 2] = dataAt;
    out.words[entry + 3] = positionsAt;
    out.words[entry + 4] =
      (docWidth << DOC_WIDTH_SHIFT) |
      (freqWidth << FREQ_WIDTH_SHIFT) |
      (positionWidth << POSITION_WIDTH_SHIFT) |
      (impacts << IMPACTS_SHIFT);
    return total;
  }

  /**
   * Writes the impacts of a block and returns their number. Impacts are (freq, norm) pairs such that for every
   * document of the block some impact has at least its freq and at most its norm; a score grows with freq and falls
   * with norm, so the best score over the impacts bounds the block (block-max WAND; Lucene's
   * `CompetitiveImpactAccumulator`).
   */
  #addImpacts({ docs, freqs }: PostingList, { from, to, isOnly }: Range, maxFreq: number): number {
    const collector = blockImpacts;
    const norms = this.#norms;
    collector.clear();
    // Without norms all documents have norm 1. With freqs all 1 only the smallest norm matters. Both cases avoid the
    // collector's loop.
    if (norms === undefined) collector.add(maxFreq, 1);
    else if (maxFreq === 1) {
      let least = 255;
      for (let i = from; i < to; i += 1) {
        const norm = norms[docs[i] as number] as number;
        if (norm < least) least = norm;
      }
      collector.add(1, least);
    } else {
      for (let i = from; i < to; i += 1) {
        collector.add(freqs[i] as number, norms[docs[i] as number] as number);
      }
    }
    collector.collect(MAX_BLOCK_IMPACTS);
    const { count, found } = collector;
    for (let i = 0; i < count; i += 1) {
      const impact = found[i] as number;
      this.#postings.word(impact);
      // A single block needs no term impacts: its own serve for the whole term.
      if (!isOnly) termImpacts.add(impact >>> 8, impact & 255);
    }
    return count;
  }

  /** Writes positions, then, with offsets, start and end offsets as words; returns the width code of the positions. */
  #writePositions(list: PostingList, from: number, count: number): number {
    const { positions, startOffsets, endOffsets } = list;
    const out = this.#positions;
    const to = from + count;
    let max = 0;
    for (let i = from; i < to; i += 1)
      if ((positions[i] as number) > max) max = positions[i] as number;
    const width = widthOf(max);
    writeColumn(out, width, positions, from, to, 0);
    if (!this.#hasOffsets) return width;
    // Offsets are always words (width code 2), which aligns them; the reader finds them behind the positions, rounded
    // up to 4.
    writeColumn(out, 2, startOffsets, from, to, 0);
    writeColumn(out, 2, endOffsets, from, to, 0);
    return width;
  }
}

/** The part of a posting list that one block holds. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly positionsFrom: number;
  /** Word index of the block's entry in the table. */
  readonly entry: number;
  /** Whether the term has no other block. */
  readonly isOnly: boolean;
}

/** Width codes are exponents: a column of width code w has 1 << w bytes per value. */
function widthOf(max: number): number {
  if (max < 256) return 0;
  return max < 65_536 ? 1 : 2;
}

/**
 * Writes source[from, to) minus `minus` in the given width. Typed stores truncate, so the caller must have chosen a
 * width that fits.
 */
function writeColumn(
  out: ByteList,
  width: number,
  source: Int32Array,
  from: number,
  to: number,
  minus: number,
): void {
  const count = to - from;
  if (width === 0) {
    out.reserve(count);
    const { bytes, length } = out;
    for (let i = 0; i < count; i += 1) bytes[length + i] = (source[from + i] as number) - minus;
    out.length += count;
    return;
  }
  if (width === 1) {
    out.align(2);
    out.reserve(count * 2);
    const at = out.length >>> 1;
    const { shorts } = out;
    for (let i = 0; i < count; i += 1) shorts[at + i] = (source[from + i] as number) - minus;
    out.length += count * 2;
    return;
  }
  out.align(4);
  out.reserve(count * 4);
  const at = out.length >>> 2;
  const { words } = out;
  for (let i = 0; i < count; i += 1) words[at + i] = (source[from + i] as number) - minus;
  out.length += count * 4;
}

/** Collects the highest freq per norm and derives from it the pairs that no other pair dominates. */
class ImpactCollector {
  /** After `collect`: the impacts as `freq << 8 | norm`, norms and freqs both ascending. */
  readonly found: Int32Array = new Int32Array(256);
  count = 0;
  readonly #maxFreqs = new Int32Array(256);
  /** Norms seen since `clear`, ascending. */
  readonly #norms = new Int32Array(256);
  #normCount = 0;

  clear(): void {
    // Clears only the norms that were seen, since a block sees few of the 256.
    for (let i = 0; i < this.#normCount; i += 1) this.#maxFreqs[this.#norms[i] as number] = 0;
    this.#normCount = 0;
  }

  /** Adds a document. A freq of 0 marks an unseen norm in `#maxFreqs`; real freqs are at least 1. */
  add(freq: number, norm: number): void {
    const known = this.#maxFreqs[norm] as number;
    if (freq > known) this.#maxFreqs[norm] = freq;
    if (known !== 0) return;
    // Insertion into a sorted list: a block has few distinct norms.
    const norms = this.#norms;
    let at = this.#normCount;
    this.#normCount += 1;
    while (at > 0 && (norms[at - 1] as number) > norm) {
      norms[at] = norms[at - 1] as number;
      at -= 1;
    }
    norms[at] = norm;
  }

  /** Derives at most `limit` impacts. Beyond the limit neighbours are joined, which loosens the bound but keeps it a bound. */
  collect(limit: number): void {
    const { found } = this;
    let count = 0;
    let best = 0;
    for (let i = 0; i < this.#normCount; i += 1) {
      const norm = this.#norms[i] as number;
      const freq = Math.min(this.#maxFreqs[norm] as number, MAX_IMPACT_FREQ);
      // From the lowest norm (best score) upwards: a higher norm is only competitive with a higher freq than all
      // before it.
      if (freq <= best) continue;
      best = freq;
      found[count] = (freq << 8) | norm;
      count += 1;
    }
    this.count = count;
    while (this.count > limit) this.#joinClosest();
  }

  /**
   * Joins the two neighbours with the closest norms into one impact with the higher freq and the lower norm, which
   * dominates both.
   */
  #joinClosest(): void {
    const { found, count } = this;
    let at = 0;
    let least = 256;
    for (let i = 0; i + 1 < count; i += 1) {
      const gap = ((found[i + 1] as number) & 255) - ((found[i] as number) & 255);
      if (gap >= least) continue;
      least = gap;
      at = i;
    }
    found[at] = ((found[at + 1] as number) & ~255) | ((found[at] as number) & 255);
    found.copyWithin(at + 1, at + 2, count);
    this.count = count - 1;
  }
}

// Scratch collectors, used only within one call of `add`, so all writers of a thread can share them.
const blockImpacts = new ImpactCollector();
const termImpacts = new ImpactCollector();
