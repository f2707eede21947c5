/**
 * Terms in the indexing buffer: an append-only log of the tokens that the documents of one field hold.
 *
 * Tokens are logged as their term's number, in the order they come, which costs one array write; sorting them into
 * postings waits for the flush, where one counting sort does it for all terms at once. Positions follow from the order:
 * a token stands one behind the token before it, the first one of a document at 0. Where that is not so a marker
 * precedes it in the log, the one's complement of its position.
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
 * An entry is a document that began, by its rank among them. What is touched for every token is no private name of the language:
 * those cost more.
 */
export class TermsBuffer implements PartBuffer, TermBytesSink {
  readonly bytes: Uint8Array = scratch;
  readonly terms: TermTable = new TermTable();
  /** Term numbers, and negative markers. */
  readonly tokens: IntList = new IntList();
  readonly hasPositions: boolean;
  readonly startOffsets: IntList | undefined;
  readonly endOffsets: IntList | undefined;
  /** Per entry: where its part of the log starts, and how many of its tokens are stacked on others. */
  readonly firstTokens: IntList = new IntList();
  readonly overlaps: IntList = new IntList();
  markerCount = 0;

  private readonly name: string;
  private readonly analyzer: Analyzer | undefined;
  private readonly positionIncrementGap: number;
  /** Of the last token, in the current document, and where the log would put it without a marker. */
  private position = -1;
  private impliedPosition = -1;
  private offset = 0;

  /** Without an analyzer each value is one term, as given. */
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

  begin(): void {
    this.position = -1;
    this.impliedPosition = -1;
    this.offset = 0;
    this.firstTokens.push(this.tokens.length);
    this.overlaps.push(0);
  }

  add(value: FieldValue["value"], growth: Growth): void {
    const { analyzer } = this;
    if (analyzer === undefined) {
      this.addTerm(value);
      return;
    }
    assert(typeof value === "string", `text of [${this.name}]`);
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

  immense(term: string): void {
    const bytes = utf8Encode(term);
    throw immenseTerm(this.name, bytes.length, bytes);
  }

  // ------------------------------------------------------------------------------------------------- the log

  /** Logs one token of the current document. */
  private token(term: number, positionIncrement: number): void {
    if (positionIncrement === 1 && this.position === this.impliedPosition) {
      this.position += 1;
      this.impliedPosition = this.position;
      this.tokens.push(term);
      return;
    }
    this.tokenApart(term, positionIncrement);
  }

  private tokenApart(term: number, positionIncrement: number): void {
    // A first token may not stand on the position before the text.
    this.position = Math.max(0, this.position + positionIncrement);
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

  /** Where the log of an entry ends. */
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
