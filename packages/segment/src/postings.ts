/**
 * Reads postings in place, in the format of `postings-writer.ts`. A cursor skips, steps and reads freqs without
 * decoding a block; `nextBlock` decodes one for loops over many documents. Every path visits the same documents
 * (INV-SEGMENT-6, -7).
 *
 * Lucene packs deltas into bits and must decode a block to read it. Here documents of a block are byte-aligned
 * offsets from its first one, so `advance` is a search over the block table and a binary search within one block, at
 * the price of a larger index.
 */
import {
  DOC_WIDTH_SHIFT,
  FREQ_ALL_ONE,
  FREQ_WIDTH_SHIFT,
  HEAD_WORDS,
  IMPACTS_SHIFT,
  MAX_IMPACT_FREQ,
  POSITION_WIDTH_SHIFT,
  TABLE_WORDS_PER_BLOCK,
} from "./postings-writer.ts";
import { decode, lowerBound, type Widths } from "./widths.ts";
import { BLOCK_SIZE, NO_MORE_DOCS, type Bm25Scorer, type Postings } from "./types.ts";

/** Sections of a field's postings, as views of each width. */
export interface PostingsSource extends Widths {
  readonly positions: Widths;
  readonly norms: Uint8Array | undefined;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly hasOffsets: boolean;
}

/** Code in place of a position width: the only position is in the term's `positionStart`. */
const IN_PLACE = 3;
const EMPTY = new Int32Array(0);

// Room for 32 cursors with two blocks each.
const CHUNK_INTS = 32 * 2 * BLOCK_SIZE;
let chunk = EMPTY;
let chunkUsed = 0;

/**
 * An array for one decoded block, cut from a larger one: allocating a typed array costs about a microsecond, and
 * merges and prefix queries open cursors by the hundred thousand. A chunk is freed with its last cursor.
 */
function takeInts(count: number): Int32Array {
  if (chunkUsed + count > chunk.length) {
    chunk = new Int32Array(CHUNK_INTS);
    chunkUsed = 0;
  }
  chunkUsed += count;
  return chunk.subarray(chunkUsed - count, chunkUsed);
}

/**
 * The cursor. A class with fixed fields and no closures, because it is the innermost loop of every search. Fields
 * named `block…` describe the current block, `position…` the positions of the current document.
 */
export class PostingsCursor implements Postings {
  docFreq = 0;
  totalTermFreq = 0;
  docs: Int32Array = EMPTY;
  freqs: Int32Array = EMPTY;

  private readonly source: PostingsSource;
  private positionStart = 0;
  /** Word index of the first block's table entry; unused for a single document. */
  private table = 0;
  private blockCount = 0;
  private doc = -1;
  /** Index of the current document in its block; -1 before the first. */
  private at = -1;
  // Current block, its last document and its length; -1 and 0 before the first block and after the last one.
  private block = -1;
  private blockLast = -1;
  private blockLength = 0;
  private blockFirst = 0;
  private docWidth = 0;
  private freqWidth = FREQ_ALL_ONE;
  /** Index of the block's first document, and first freq, in the view of their width. */
  private docsAt = 0;
  private freqsAt = 0;

  /** Index in the block of the first document that the last `nextBlock` returned. */
  private decodedFrom = 0;

  // Block chosen by `shallowAdvance`, and the bound computed for it last.
  private shallow = 0;
  private scoredBlock = -1;
  private scoredWith: Bm25Scorer | undefined;
  private blockScore = 0;

  /**
   * Positions of the current block: its width, their index, and the sum of the freqs before `countedAt`. Kept,
   * because documents are nearly always read in order.
   */
  private positionBlock = -1;
  private positionWidth = 0;
  private positionsAt = 0;
  private blockPositions = 0;
  private countedAt = 0;
  private counted = 0;
  private positionDoc = -1;
  private position = 0;
  private positionEnd = 0;

  constructor(source: PostingsSource) {
    this.source = source;
  }

  /**
   * Places the cursor before the first document of a term of the same field. Cursors are reused, so every field that
   * a term sets must be reset here.
   */
  open(docFreq: number, totalTermFreq: number, start: number, positionStart: number): this {
    this.docFreq = docFreq;
    this.totalTermFreq = totalTermFreq;
    this.positionStart = positionStart;
    this.doc = -1;
    this.at = -1;
    this.block = -1;
    this.blockLast = -1;
    this.blockLength = 0;
    this.freqWidth = FREQ_ALL_ONE;
    this.shallow = 0;
    this.scoredWith = undefined;
    this.positionBlock = -1;
    this.positionDoc = -1;
    if (docFreq === 1) {
      // A single document has no table: it is its own block, and `docAt` returns `blockFirst` for width 0.
      this.blockFirst = start;
      this.docWidth = 0;
      this.blockCount = 1;
      return this;
    }
    this.blockCount = Math.ceil(docFreq / BLOCK_SIZE);
    this.table = (start >>> 2) + (this.blockCount === 1 ? 0 : HEAD_WORDS);
    return this;
  }

  /** The current document; -1 before the first, `NO_MORE_DOCS` after the last. */
  docId(): number {
    return this.doc;
  }

  nextDoc(): number {
    // Within the block the next document is one typed-array read.
    const at = this.at + 1;
    if (at < this.blockLength) {
      this.at = at;
      return (this.doc = this.docAt(at));
    }
    if (!this.enterBlock(this.block + 1)) return (this.doc = NO_MORE_DOCS);
    this.at = 0;
    return (this.doc = this.blockFirst);
  }

  /**
   * Moves to the first document at or after `target`, which must lie beyond the current one. First the block is found
   * in the table (`blockLast` decides without touching block data), then the document in the block.
   */
  advance(target: number): number {
    if (target > this.blockLast) {
      // Blocks before the current one are never searched: cursors only move forward.
      const block = this.findBlock(this.block + 1, target);
      if (!this.enterBlock(block)) return (this.doc = NO_MORE_DOCS);
      // The first document of a block is in its table entry, so a hit there reads no block data.
      if (target <= this.blockFirst) {
        this.at = 0;
        return (this.doc = this.blockFirst);
      }
    }
    // For terms that occur nearly everywhere the next document is usually the target; testing it first avoids the
    // binary search.
    const next = this.at + 1;
    const doc = this.docAt(next);
    if (doc >= target) {
      this.at = next;
      return (this.doc = doc);
    }
    // The block's last document is at or after the target, so the search always ends inside the block.
    this.at = this.lowerBound(next + 1, target);
    return (this.doc = this.docAt(this.at));
  }

  /** Freq of the current document; 1 for an index without freqs. */
  freq(): number {
    if (this.docFreq === 1) return this.totalTermFreq;
    const index = this.freqsAt + this.at;
    switch (this.freqWidth) {
      case 0:
        return this.source.bytes[index] as number;
      case 1:
        return this.source.shorts[index] as number;
      case 2:
        return this.source.words[index] as number;
      default:
        return 1;
    }
  }

  // ------------------------------------------------------------------------------------------ positions

  /** The next position of the current document; -1 when all have been read. */
  nextPosition(): number {
    if (!this.source.hasPositions) return -1;
    if (this.positionDoc !== this.doc) this.seekPositions();
    if (this.position === this.positionEnd) return -1;
    this.position += 1;
    return this.positionAt(this.position - 1);
  }

  /** Reads all positions of the current document; see `Postings`. */
  readPositions(target: Int32Array): number {
    if (!this.source.hasPositions) return 0;
    this.seekPositions();
    const count = this.positionEnd - this.position;
    // Positions below 256 are the common case (short texts); a loop over bytes avoids a switch per position.
    if (this.positionWidth === 0) {
      const { bytes } = this.source.positions;
      const from = this.positionsAt + this.position;
      for (let i = 0; i < count; i += 1) target[i] = bytes[from + i] as number;
    } else {
      for (let i = 0; i < count; i += 1) target[i] = this.positionAt(this.position + i);
    }
    this.position = this.positionEnd;
    return count;
  }

  /**
   * Reads the positions of all documents of the last `nextBlock`. They are contiguous in the stream, so one decode
   * serves the whole block.
   */
  readBlockPositions(target: Int32Array): number {
    if (!this.source.hasPositions || this.blockLength === 0) return 0;
    if (this.positionBlock !== this.block) this.seekBlock();
    const { freqs, decodedFrom } = this;
    const from = decodedFrom === 0 ? 0 : this.positionsBefore(decodedFrom);
    const decoded = this.blockLength - decodedFrom;
    let count = 0;
    for (let i = 0; i < decoded; i += 1) count += freqs[i] as number;
    if (this.positionWidth === IN_PLACE) target[0] = this.positionStart;
    else
      decode(this.source.positions, this.positionWidth, this.positionsAt + from, count, 0, target);
    // Marks the positions of the current document as read, so that `nextPosition` does not return them again.
    this.positionDoc = this.doc;
    this.position = this.positionEnd = from + count;
    return count;
  }

  /** Number of positions of the block's documents before index `index`. */
  private positionsBefore(index: number): number {
    if (this.freqWidth === FREQ_ALL_ONE) return index;
    let count = 0;
    for (let i = 0; i < index; i += 1) count += this.freqAt(i);
    return count;
  }

  startOffset(): number {
    return this.offsetAt(0);
  }

  endOffset(): number {
    return this.offsetAt(1);
  }

  private offsetAt(column: number): number {
    // Offsets follow the positions of the block, aligned to 4: first all start offsets, then all end offsets, each in
    // the order of the positions.
    if (!this.source.hasOffsets) return -1;
    const bytes = (this.positionsAt + this.blockPositions) << this.positionWidth;
    const at = ((bytes + 3) >>> 2) + column * this.blockPositions;
    return this.source.positions.words[at + this.position - 1] as number;
  }

  private positionAt(index: number): number {
    const { bytes, shorts, words } = this.source.positions;
    const at = this.positionsAt + index;
    switch (this.positionWidth) {
      case 0:
        return bytes[at] as number;
      case 1:
        return shorts[at] as number;
      case 2:
        return words[at] as number;
      default:
        return this.positionStart;
    }
  }

  /**
   * Moves to the positions of the current document, which follow those of the block's earlier documents: their freqs
   * are summed.
   */
  private seekPositions(): void {
    this.positionDoc = this.doc;
    if (this.positionBlock !== this.block) this.seekBlock();
    if (this.docFreq === 1) {
      this.position = 0;
      this.positionEnd = this.totalTermFreq;
      return;
    }
    // The sum goes on from the last document that was counted. It restarts when the current document precedes it.
    if (this.countedAt > this.at) this.countedAt = this.counted = 0;
    // All freqs are 1: the number of earlier positions is the number of earlier documents.
    if (this.freqWidth === FREQ_ALL_ONE) {
      this.counted = this.at;
      this.countedAt = this.at;
    }
    const at = this.at;
    while (this.countedAt < at) {
      this.counted += this.freqAt(this.countedAt);
      this.countedAt += 1;
    }
    this.position = this.counted;
    this.positionEnd = this.counted + this.freqAt(at);
  }

  /** Loads the position entry of the current block. */
  private seekBlock(): void {
    this.positionBlock = this.block;
    if (this.docFreq === 1) this.enterSinglePositions();
    else this.enterPositions();
  }

  private enterPositions(): void {
    const { words, hasOffsets } = this.source;
    const entry = this.table + this.block * TABLE_WORDS_PER_BLOCK;
    this.positionWidth = ((words[entry + 4] as number) >>> POSITION_WIDTH_SHIFT) & 3;
    this.positionsAt = (words[entry + 3] as number) >>> this.positionWidth;
    this.countedAt = 0;
    this.counted = 0;
    // Only offsets need the number of positions in the block: they lie behind all of them.
    if (!hasOffsets) return;
    let total = 0;
    for (let i = 0; i < this.blockLength; i += 1) total += this.freqAt(i);
    this.blockPositions = total;
  }

  private enterSinglePositions(): void {
    this.blockPositions = this.totalTermFreq;
    const { hasOffsets } = this.source;
    if (this.totalTermFreq === 1 && !hasOffsets) {
      // The position is in the term's own column, not in the stream.
      this.positionWidth = IN_PLACE;
      return;
    }
    // The low bits of an aligned offset are its width code.
    this.positionWidth = this.positionStart & 3;
    this.positionsAt = (this.positionStart & ~3) >>> this.positionWidth;
  }

  // ------------------------------------------------------------------------------------------ block bounds

  /**
   * Chooses the block of `target` for the bounds, without moving the cursor; returns its last document, up to which
   * the bounds hold.
   */
  shallowAdvance(target: number): number {
    if (this.docFreq === 1) return target <= this.blockFirst ? this.blockFirst : NO_MORE_DOCS;
    // Targets normally ascend, so the search starts at the last chosen block. A target before that block (the scorer
    // went back to the current document) restarts at the cursor's own block.
    const isBehind = this.shallow > 0 && target <= this.lastOf(this.shallow - 1);
    this.shallow = this.findBlock(
      isBehind ? Math.max(0, this.block) : Math.max(this.shallow, this.block),
      target,
    );
    return this.shallow < this.blockCount ? this.lastOf(this.shallow) : NO_MORE_DOCS;
  }

  /** Upper bound of the scores in the chosen block; cached, because WAND asks for the same block repeatedly. */
  blockMaxScore(scorer: Bm25Scorer): number {
    if (this.docFreq === 1) return this.maxScore(scorer);
    if (this.shallow >= this.blockCount) return 0;
    if (this.scoredBlock === this.shallow && this.scoredWith === scorer) return this.blockScore;
    this.scoredBlock = this.shallow;
    this.scoredWith = scorer;
    const at = this.impactsAt(this.shallow);
    return (this.blockScore = this.bestOf(at, this.impactCount(this.shallow), scorer));
  }

  /** Upper bound of the scores of all documents of the term. */
  maxScore(scorer: Bm25Scorer): number {
    if (this.docFreq === 1) {
      const { norms } = this.source;
      const norm = norms === undefined ? 1 : (norms[this.singleDoc()] as number);
      return scorer.score(this.totalTermFreq, norm);
    }
    // The only block's impacts are those of the term; with several blocks the head names the term's own.
    if (this.blockCount === 1) return this.bestOf(this.impactsAt(0), this.impactCount(0), scorer);
    const { words } = this.source;
    const head = this.table - HEAD_WORDS;
    return this.bestOf((words[head] as number) >>> 2, words[head + 1] as number, scorer);
  }

  /** Highest freq in the chosen block: that of the last impact, since freqs ascend. */
  blockMaxFreq(): number {
    if (this.docFreq === 1) return this.totalTermFreq;
    if (this.shallow >= this.blockCount) return 0;
    const last = this.impactsAt(this.shallow) + this.impactCount(this.shallow) - 1;
    return (this.source.words[last] as number) >>> 8;
  }

  /** Lowest norm in the chosen block: that of the first impact, since norms ascend. */
  blockMinNorm(): number {
    const { norms, words } = this.source;
    if (this.docFreq === 1) return norms === undefined ? 1 : (norms[this.singleDoc()] as number);
    if (this.shallow >= this.blockCount) return 255;
    return (words[this.impactsAt(this.shallow)] as number) & 255;
  }

  /**
   * Best score over impacts. A saturated freq stands for any larger one and is scored as infinite, or the bound could
   * be too low.
   */
  private bestOf(at: number, count: number, scorer: Bm25Scorer): number {
    const { words } = this.source;
    let best = 0;
    for (let i = at; i < at + count; i += 1) {
      const impact = words[i] as number;
      const freq = impact >>> 8;
      const score = scorer.score(freq === MAX_IMPACT_FREQ ? Infinity : freq, impact & 255);
      if (score > best) best = score;
    }
    return best;
  }

  private impactsAt(block: number): number {
    return (this.source.words[this.table + block * TABLE_WORDS_PER_BLOCK + 2] as number) >>> 2;
  }

  private impactCount(block: number): number {
    const flags = this.source.words[this.table + block * TABLE_WORDS_PER_BLOCK + 4] as number;
    return flags >>> IMPACTS_SHIFT;
  }

  // ------------------------------------------------------------------------------------------ bulk

  /** Decodes the rest of the current block, or the next block; see `Postings`. */
  nextBlock(needsFreqs = true): number {
    // A partly consumed block continues behind the current document: `nextBlock` may be mixed with `nextDoc` and
    // `advance`.
    if (this.at + 1 >= this.blockLength && !this.enterBlock(this.block + 1)) {
      this.doc = NO_MORE_DOCS;
      return 0;
    }
    const from = this.at + 1;
    const count = this.blockLength - from;
    // The arrays are as small as the term allows and are kept for the cursor's next term.
    const size = Math.min(BLOCK_SIZE, this.docFreq);
    if (this.docs.length < size) {
      this.docs = takeInts(size);
      this.freqs = takeInts(size);
    }
    if (this.docFreq === 1) {
      this.docs[0] = this.blockFirst;
      this.freqs[0] = this.totalTermFreq;
    } else {
      const { source, docs, freqs } = this;
      decode(source, this.docWidth, this.docsAt + from, count, this.blockFirst, docs);
      if (needsFreqs && this.freqWidth === FREQ_ALL_ONE) freqs.fill(1, 0, count);
      else if (needsFreqs) decode(source, this.freqWidth, this.freqsAt + from, count, 0, freqs);
    }
    // The cursor stands on the last decoded document, so that the next call enters the next block.
    this.decodedFrom = from;
    this.at = this.blockLength - 1;
    this.doc = this.blockLast;
    return count;
  }

  /** Enters the block of `target` without choosing a document. */
  advanceBlock(target: number): boolean {
    return target <= this.blockLast || this.enterBlock(this.findBlock(this.block + 1, target));
  }

  // ------------------------------------------------------------------------------------------ blocks

  private singleDoc(): number {
    return this.blockFirst;
  }

  /** Last document of a block, from the table. */
  private lastOf(block: number): number {
    if (this.docFreq === 1) return this.blockFirst;
    return this.source.words[this.table + block * TABLE_WORDS_PER_BLOCK] as number;
  }

  /**
   * The first block from `from` on whose last document is not before `target`; `blockCount` if there is none. Gallops
   * (steps of 1, 2, 4, …) and then bisects: targets are near in conjunctions, where a plain binary search over all
   * blocks would be slower.
   */
  private findBlock(from: number, target: number): number {
    const count = this.blockCount;
    if (from >= count) return count;
    let low = from;
    let step = 1;
    while (low < count && this.lastOf(low) < target) {
      low += step;
      step *= 2;
    }
    // The answer lies between the last probe that was too small and this one.
    let high = Math.min(low, count);
    low = Math.max(from, low - (step >>> 1) + (step > 1 ? 1 : 0));
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.lastOf(middle) < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Loads a block's table entry; false past the last block. */
  private enterBlock(block: number): boolean {
    if (block >= this.blockCount) {
      // After the end no target is at or before `blockLast`, so every later `advance` returns `NO_MORE_DOCS` as well.
      this.block = this.blockCount;
      this.blockLast = -1;
      this.blockLength = 0;
      this.at = -1;
      return false;
    }
    this.block = block;
    this.at = -1;
    if (this.docFreq === 1) {
      this.blockLength = 1;
      this.blockLast = this.blockFirst;
      return true;
    }
    const { words } = this.source;
    const entry = this.table + block * TABLE_WORDS_PER_BLOCK;
    this.blockLast = words[entry] as number;
    this.blockFirst = words[entry + 1] as number;
    const flags = words[entry + 4] as number;
    const docWidth = (flags >>> DOC_WIDTH_SHIFT) & 3;
    const freqWidth = (flags >>> FREQ_WIDTH_SHIFT) & 3;
    const length = Math.min(BLOCK_SIZE, this.docFreq - block * BLOCK_SIZE);
    // Block data: impacts, then documents, then freqs, each aligned to its width. Offsets become indices by shifting
    // with the width code.
    const docsByte = (words[entry + 2] as number) + (flags >>> IMPACTS_SHIFT) * 4;
    this.blockLength = length;
    this.docWidth = docWidth;
    this.docsAt = docsByte >>> docWidth;
    this.freqWidth = freqWidth;
    if (freqWidth !== FREQ_ALL_ONE) {
      const width = 1 << freqWidth;
      this.freqsAt = (docsByte + (length << docWidth) + width - 1) >>> freqWidth;
    }
    return true;
  }

  /** Document at an index of the block. */
  private docAt(index: number): number {
    const at = this.docsAt + index;
    switch (this.docWidth) {
      case 0:
        // A single document is the first of its block and has no column.
        if (this.docFreq === 1) return this.blockFirst;
        return this.blockFirst + (this.source.bytes[at] as number);
      case 1:
        return this.blockFirst + (this.source.shorts[at] as number);
      default:
        return this.blockFirst + (this.source.words[at] as number);
    }
  }

  /** Freq at an index of the block. */
  private freqAt(index: number): number {
    const at = this.freqsAt + index;
    switch (this.freqWidth) {
      case 0:
        return this.source.bytes[at] as number;
      case 1:
        return this.source.shorts[at] as number;
      case 2:
        return this.source.words[at] as number;
      default:
        return 1;
    }
  }

  /**
   * Index of the first document of the block, from `from` on, that is not before `target`. Stored documents are
   * relative to the first one, so the target is made relative, not each candidate absolute.
   */
  private lowerBound(from: number, target: number): number {
    const first = this.docsAt;
    const last = first + this.blockLength - 1;
    return (
      lowerBound(this.source, this.docWidth, first + from, last, target - this.blockFirst) - first
    );
  }
}
