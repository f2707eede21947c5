/**
 * Reads what `postings-writer.ts` wrote, in place: a cursor finds, steps and reads freqs without decoding a block;
 * `nextBlock` decodes one for loops over many documents.
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

/** The sections of a field's postings, each in the widths it is read in. */
export interface PostingsSource extends Widths {
  readonly positions: Widths;
  readonly norms: Uint8Array | undefined;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly hasOffsets: boolean;
}

/** In place of a position width: the only position is in the term's own column. */
const IN_PLACE = 3;
const EMPTY = new Int32Array(0);

const CHUNK_INTS = 32 * 2 * BLOCK_SIZE;
let chunk = EMPTY;
let chunkUsed = 0;

/**
 * Room for one decoded block. Cut from larger arrays, because a typed array with memory of its own costs a microsecond
 * and merges and prefix queries open cursors by the hundred thousand. The memory goes with its last cursor.
 */
function takeInts(count: number): Int32Array {
  if (chunkUsed + count > chunk.length) {
    chunk = new Int32Array(CHUNK_INTS);
    chunkUsed = 0;
  }
  chunkUsed += count;
  return chunk.subarray(chunkUsed - count, chunkUsed);
}

/** A class because it is the innermost loop of every search: fixed fields, no closure per method. */
export class PostingsCursor implements Postings {
  docFreq = 0;
  totalTermFreq = 0;
  docs: Int32Array = EMPTY;
  freqs: Int32Array = EMPTY;

  private readonly source: PostingsSource;
  private positionStart = 0;
  /** Word index of the first block's entry; unused with a single document. */
  private table = 0;
  private blockCount = 0;
  private doc = -1;
  /** Index in the block; -1 before its first document. */
  private at = -1;
  private block = -1;
  private blockLast = -1;
  private blockLength = 0;
  private blockFirst = 0;
  private docWidth = 0;
  private freqWidth = FREQ_ALL_ONE;
  /** Index of the first document (and freq) in the array of its width. */
  private docsAt = 0;
  private freqsAt = 0;

  /** Index of the first document of the last `nextBlock`. */
  private decodedFrom = 0;

  private shallow = 0;
  private scoredBlock = -1;
  private scoredWith: Bm25Scorer | undefined;
  private blockScore = 0;

  /** Positions of the block: its width, where they start, and the freqs added up to `countedAt`. */
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

  /** Before the first document of a term of the same source. */
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
      this.blockFirst = start;
      this.docWidth = 0;
      this.blockCount = 1;
      return this;
    }
    this.blockCount = Math.ceil(docFreq / BLOCK_SIZE);
    this.table = (start >>> 2) + (this.blockCount === 1 ? 0 : HEAD_WORDS);
    return this;
  }

  docId(): number {
    return this.doc;
  }

  nextDoc(): number {
    const at = this.at + 1;
    if (at < this.blockLength) {
      this.at = at;
      return (this.doc = this.docAt(at));
    }
    if (!this.enterBlock(this.block + 1)) return (this.doc = NO_MORE_DOCS);
    this.at = 0;
    return (this.doc = this.blockFirst);
  }

  advance(target: number): number {
    if (target > this.blockLast) {
      const block = this.findBlock(this.block + 1, target);
      if (!this.enterBlock(block)) return (this.doc = NO_MORE_DOCS);
      if (target <= this.blockFirst) {
        this.at = 0;
        return (this.doc = this.blockFirst);
      }
    }
    // Terms that occur nearly everywhere: the next document is it.
    const next = this.at + 1;
    const doc = this.docAt(next);
    if (doc >= target) {
      this.at = next;
      return (this.doc = doc);
    }
    this.at = this.lowerBound(next + 1, target);
    return (this.doc = this.docAt(this.at));
  }

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

  nextPosition(): number {
    if (!this.source.hasPositions) return -1;
    if (this.positionDoc !== this.doc) this.seekPositions();
    if (this.position === this.positionEnd) return -1;
    this.position += 1;
    return this.positionAt(this.position - 1);
  }

  readPositions(target: Int32Array): number {
    if (!this.source.hasPositions) return 0;
    this.seekPositions();
    const count = this.positionEnd - this.position;
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
    this.positionDoc = this.doc;
    this.position = this.positionEnd = from + count;
    return count;
  }

  /** Positions of the block's documents before this one. */
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

  /** To the positions of the current document: behind those of the block's earlier documents. */
  private seekPositions(): void {
    this.positionDoc = this.doc;
    if (this.positionBlock !== this.block) this.seekBlock();
    if (this.docFreq === 1) {
      this.position = 0;
      this.positionEnd = this.totalTermFreq;
      return;
    }
    if (this.countedAt > this.at) this.countedAt = this.counted = 0;
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

  /** To the positions of the block. */
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
    if (!hasOffsets) return;
    let total = 0;
    for (let i = 0; i < this.blockLength; i += 1) total += this.freqAt(i);
    this.blockPositions = total;
  }

  private enterSinglePositions(): void {
    this.blockPositions = this.totalTermFreq;
    const { hasOffsets } = this.source;
    if (this.totalTermFreq === 1 && !hasOffsets) {
      // The position is in the term's own column.
      this.positionWidth = IN_PLACE;
      return;
    }
    this.positionWidth = this.positionStart & 3;
    this.positionsAt = (this.positionStart & ~3) >>> this.positionWidth;
  }

  // ------------------------------------------------------------------------------------------ block bounds

  shallowAdvance(target: number): number {
    if (this.docFreq === 1) return target <= this.blockFirst ? this.blockFirst : NO_MORE_DOCS;
    const isBehind = this.shallow > 0 && target <= this.lastOf(this.shallow - 1);
    this.shallow = this.findBlock(
      isBehind ? Math.max(0, this.block) : Math.max(this.shallow, this.block),
      target,
    );
    return this.shallow < this.blockCount ? this.lastOf(this.shallow) : NO_MORE_DOCS;
  }

  blockMaxScore(scorer: Bm25Scorer): number {
    if (this.docFreq === 1) return this.maxScore(scorer);
    if (this.shallow >= this.blockCount) return 0;
    if (this.scoredBlock === this.shallow && this.scoredWith === scorer) return this.blockScore;
    this.scoredBlock = this.shallow;
    this.scoredWith = scorer;
    const at = this.impactsAt(this.shallow);
    return (this.blockScore = this.bestOf(at, this.impactCount(this.shallow), scorer));
  }

  maxScore(scorer: Bm25Scorer): number {
    if (this.docFreq === 1) {
      const { norms } = this.source;
      const norm = norms === undefined ? 1 : (norms[this.singleDoc()] as number);
      return scorer.score(this.totalTermFreq, norm);
    }
    if (this.blockCount === 1) return this.bestOf(this.impactsAt(0), this.impactCount(0), scorer);
    const { words } = this.source;
    const head = this.table - HEAD_WORDS;
    return this.bestOf((words[head] as number) >>> 2, words[head + 1] as number, scorer);
  }

  blockMaxFreq(): number {
    if (this.docFreq === 1) return this.totalTermFreq;
    if (this.shallow >= this.blockCount) return 0;
    const last = this.impactsAt(this.shallow) + this.impactCount(this.shallow) - 1;
    return (this.source.words[last] as number) >>> 8;
  }

  blockMinNorm(): number {
    const { norms, words } = this.source;
    if (this.docFreq === 1) return norms === undefined ? 1 : (norms[this.singleDoc()] as number);
    if (this.shallow >= this.blockCount) return 255;
    return (words[this.impactsAt(this.shallow)] as number) & 255;
  }

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

  nextBlock(needsFreqs = true): number {
    if (this.at + 1 >= this.blockLength && !this.enterBlock(this.block + 1)) {
      this.doc = NO_MORE_DOCS;
      return 0;
    }
    const from = this.at + 1;
    const count = this.blockLength - from;
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
    this.decodedFrom = from;
    this.at = this.blockLength - 1;
    this.doc = this.blockLast;
    return count;
  }

  advanceBlock(target: number): boolean {
    return target <= this.blockLast || this.enterBlock(this.findBlock(this.block + 1, target));
  }

  // ------------------------------------------------------------------------------------------ blocks

  private singleDoc(): number {
    return this.blockFirst;
  }

  private lastOf(block: number): number {
    if (this.docFreq === 1) return this.blockFirst;
    return this.source.words[this.table + block * TABLE_WORDS_PER_BLOCK] as number;
  }

  /** The first block from `from` on whose last document is not before `target`; the count of blocks if there is none. */
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

  private enterBlock(block: number): boolean {
    if (block >= this.blockCount) {
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

  private docAt(index: number): number {
    const at = this.docsAt + index;
    switch (this.docWidth) {
      case 0:
        // A single document is the block's first: there is no column to read.
        if (this.docFreq === 1) return this.blockFirst;
        return this.blockFirst + (this.source.bytes[at] as number);
      case 1:
        return this.blockFirst + (this.source.shorts[at] as number);
      default:
        return this.blockFirst + (this.source.words[at] as number);
    }
  }

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

  /** Index of the first document of the block, from `from` on, that is not before `target`. */
  private lowerBound(from: number, target: number): number {
    const first = this.docsAt;
    const last = first + this.blockLength - 1;
    return (
      lowerBound(this.source, this.docWidth, first + from, last, target - this.blockFirst) - first
    );
  }
}
