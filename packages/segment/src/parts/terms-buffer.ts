/**
 * Terms in the indexing buffer: an append-only log of the tokens of one field, document after document.
 *
 * A token is logged as the number of its term, which costs one array write; building postings per term while
 * documents arrive (Lucene's byte slices) would cost a random access per token. The flush sorts the log by term in
 * one counting sort (`terms-write.ts`). Positions are implied by the order: a token is one position behind the
 * previous one, the first of a document at 0. Any other token is preceded by a marker: the one's
 * complement of its position, which is negative and cannot be a term number.
 */
import {
  hashTerm,
  pushTerm,
  type Analyzer,
  type Growth,
  type TermBytesSink,
} from "@orrery/analysis";
import { assert, illegalArgument, utf8Encode } from "@orrery/stdx";
import { IntList } from "../growable.ts";
import type { PartBuffer } from "../part.ts";
import { scratch } from "../scratch.ts";
import { TermTable } from "../term-table.ts";
import { MAX_TERM_BYTES, type FieldSpec, type FieldValue } from "../types.ts";

const DEFAULT_POSITION_INCREMENT_GAP = 100;

/**
 * The buffer of one field. An entry is a document that began, numbered in order. Members used for every token are not
 * `#private`: access to those is slower.
 */
export class TermsBuffer implements PartBuffer, TermBytesSink {
  readonly bytes: Uint8Array = scratch;
  /** Terms of the field, numbered in order of first occurrence. */
  readonly terms: TermTable = new TermTable();
  /** The log: term numbers, and negative markers. */
  readonly tokens: IntList = new IntList();
  readonly hasPositions: boolean;
  readonly startOffsets: IntList | undefined;
  readonly endOffsets: IntList | undefined;
  /**
   * For each entry the start of its tokens in the log, and the number of tokens with position increment 0 (overlaps),
   * which Lucene leaves out of the field's length.
   */
  readonly firstTokens: IntList = new IntList();
  readonly overlaps: IntList = new IntList();
  /** Number of markers in the log; 0 spares `normsOf` a scan. */
  markerCount = 0;

  private readonly name: string;
  private readonly analyzer: Analyzer | undefined;
  private readonly positionIncrementGap: number;
  /** Position of the last token in the document, and the position that the log implies for it. */
  private position = -1;
  private impliedPosition = -1;
  // Offset of the current value within the document's values, one character apart.
  private offset = 0;

  /** Without an analyzer each value is one term, unchanged. */
  constructor(spec: FieldSpec, analyzer: Analyzer | undefined) {
    const { name, index } = spec;
    this.name = name;
    this.analyzer = analyzer;
    this.hasPositions = index === "positions" || index === "offsets";
    this.startOffsets = index === "offsets" ? new IntList() : undefined;
    this.endOffsets = index === "offsets" ? new IntList() : undefined;
    this.positionIncrementGap =
      spec.positionIncrementGap ??
      spec.analyzer?.positionIncrementGap ??
      DEFAULT_POSITION_INCREMENT_GAP;
  }

  get ramBytes(): number {
    const columns = this.startOffsets === undefined ? 4 : 12;
    return this.tokens.length * columns + this.terms.ramBytes;
  }

  /** Begins an entry: positions and offsets restart. */
  begin(): void {
    this.position = -1;
    this.impliedPosition = -1;
    this.offset = 0;
    this.firstTokens.push(this.tokens.length);
    this.overlaps.push(0);
  }

  /** Adds a value: analyses it, which calls `term` for each token, or takes it as one term. */
  add(value: FieldValue["value"], growth: Growth): void {
    const { analyzer } = this;
    if (analyzer === undefined) {
      this.addTerm(value);
      return;
    }
    assert(typeof value === "string", `text of [${this.name}]`);
    // Tokens removed behind the last one still count (trailing increment), then the gap, so that a phrase does not
    // match across two values.
    const trailing = analyzer.visitBytes(value, this, growth);
    this.position += trailing + this.positionIncrementGap;
    this.offset += value.length + 1;
  }

  private addTerm(value: FieldValue["value"]): void {
    if (typeof value === "string") {
      pushTerm(value, { positionIncrement: 1, startOffset: 0, endOffset: value.length }, this);
      return;
    }
    assert(value instanceof Uint8Array, `term of [${this.name}]`);
    if (value.length > MAX_TERM_BYTES) throw immenseTerm(this.name, value.length, value);
    this.bytes.set(value);
    this.term(value.length, hashTerm(value, value.length), 1, 0, value.length);
  }

  // ------------------------------------------------------------------------------- where analyzers push terms

  /** Receives one token of the analyzer, whose bytes are in `bytes`. */
  term(
    length: number,
    hash: number,
    positionIncrement: number,
    startOffset: number,
    endOffset: number,
  ): void {
    if (length > MAX_TERM_BYTES)
      throw immenseTerm(this.name, length, this.bytes.subarray(0, length));
    this.token(this.terms.add(this.bytes, length, hash), positionIncrement);
    const { startOffsets, endOffsets } = this;
    if (startOffsets === undefined || endOffsets === undefined) return;
    startOffsets.push(this.offset + startOffset);
    endOffsets.push(this.offset + endOffset);
  }

  /** Receives a term that does not fit into `bytes` at all. */
  immense(term: string): void {
    const bytes = utf8Encode(term);
    throw immenseTerm(this.name, bytes.length, bytes);
  }

  // ------------------------------------------------------------------------------------------------- the log

  /** Logs a token of the current document. The fast path is a token directly behind the previous one. */
  private token(term: number, positionIncrement: number): void {
    if (positionIncrement === 1 && this.position === this.impliedPosition) {
      this.position += 1;
      this.impliedPosition = this.position;
      this.tokens.push(term);
      return;
    }
    this.tokenAt(term, positionIncrement);
  }

  /** Logs a token at any position, with a marker if the position is not the implied one. */
  private tokenAt(term: number, positionIncrement: number): void {
    // A first token with increment 0 would stand at -1, before the text; Lucene moves it to 0.
    this.position = Math.max(0, this.position + positionIncrement);
    // Without positions no marker is needed: the log is then only a list of terms.
    if (this.hasPositions && this.position !== this.impliedPosition + 1) {
      this.tokens.push(~this.position);
      this.markerCount += 1;
    }
    this.impliedPosition = this.position;
    this.tokens.push(term);
    if (positionIncrement !== 0) return;
    const entry = this.overlaps.length - 1;
    this.overlaps.items[entry] = (this.overlaps.items[entry] as number) + 1;
  }

  /** End of an entry's tokens in the log. */
  lastToken(entry: number): number {
    const { firstTokens } = this;
    return entry + 1 < firstTokens.length
      ? (firstTokens.items[entry + 1] as number)
      : this.tokens.length;
  }
}

function immenseTerm(name: string, length: number, bytes: Uint8Array): Error {
  const prefix = [...bytes.subarray(0, 30)].map((byte) => (byte << 24) >> 24);
  return illegalArgument(
    `Document contains at least one immense term in field="${name}" (whose UTF8 encoding is longer than ` +
      `the max length ${MAX_TERM_BYTES}), all of which were skipped. Please correct the analyzer to not ` +
      `produce such terms. The prefix of the first immense term is: '[${prefix.join(", ")}]...', original ` +
      `message: bytes can be at most ${MAX_TERM_BYTES} in length; got ${length}`,
    {
      type: "max_bytes_length_exceeded_exception",
      reason: `bytes can be at most ${MAX_TERM_BYTES} in length; got ${length}`,
      status: 500,
    },
  );
}
