/**
 * One field in the indexing buffer: an append-only log of what its documents hold.
 *
 * Tokens are logged as their term's number, in the order they come, which costs one array write; sorting them into
 * postings waits for the flush, where one counting sort does it for all terms at once. Positions follow from the order:
 * a token stands one behind the token before it, the first one of a document at 0. Where that is not so a marker
 * precedes it in the log, the one's complement of its position.
 */
import { assert } from "@orrery/stdx";
import { BinaryList } from "./binary.ts";
import { IntList } from "./growable.ts";
import { NumberList } from "./numbers.ts";
import { TermTable } from "./term-table.ts";
import type { FieldInfo, FieldSpec } from "./types.ts";

const DEFAULT_POSITION_INCREMENT_GAP = 100;

export class FieldBuffer {
  readonly info: FieldInfo;
  /** Documents with the field, ascending; an entry is an index into this list. */
  readonly docs: IntList = new IntList();

  readonly terms: TermTable | undefined;
  /** Term numbers, and negative markers. */
  readonly tokens: IntList = new IntList();
  readonly hasPositions: boolean;
  readonly startOffsets: IntList | undefined;
  readonly endOffsets: IntList | undefined;
  /** Per entry: where its part of the log starts, and how many of its tokens are stacked on others. */
  readonly firstTokens: IntList = new IntList();
  readonly overlaps: IntList = new IntList();
  markerCount = 0;

  readonly numbers: NumberList | undefined;
  readonly firstValues: IntList = new IntList();
  readonly binary: BinaryList | undefined;

  readonly positionIncrementGap: number;
  /** Of the last token, in the current document, and where the log would put it without a marker. */
  position = -1;
  impliedPosition = -1;
  offset = 0;
  #doc = -1;

  constructor(spec: FieldSpec) {
    const { name, type, index, norms, docValues, points } = spec;
    this.info = { name, type, index, norms, docValues, points };
    const isInverted = type === "text" || type === "keyword";
    this.hasPositions = index === "positions" || index === "offsets";
    this.terms = isInverted ? new TermTable() : undefined;
    this.startOffsets = index === "offsets" ? new IntList() : undefined;
    this.endOffsets = index === "offsets" ? new IntList() : undefined;
    this.numbers = type === "long" || type === "double" ? new NumberList() : undefined;
    this.binary = type === "binary" ? new BinaryList() : undefined;
    this.positionIncrementGap =
      spec.positionIncrementGap ??
      spec.analyzer?.positionIncrementGap ??
      DEFAULT_POSITION_INCREMENT_GAP;
  }

  /** Before the value of a document, the first one or another. */
  begin(doc: number): void {
    if (this.#doc === doc) return;
    assert(doc > this.#doc, "documents come in order");
    this.#doc = doc;
    this.position = -1;
    this.impliedPosition = -1;
    this.offset = 0;
    this.docs.push(doc);
    if (this.terms !== undefined) {
      this.firstTokens.push(this.tokens.length);
      this.overlaps.push(0);
    }
    if (this.numbers !== undefined) this.firstValues.push(this.numbers.length);
  }

  /** Logs one token of the current document. */
  token(term: number, positionIncrement: number): void {
    if (positionIncrement === 1 && this.position === this.impliedPosition) {
      this.position += 1;
      this.impliedPosition = this.position;
      this.tokens.push(term);
      return;
    }
    this.#tokenApart(term, positionIncrement);
  }

  #tokenApart(term: number, positionIncrement: number): void {
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

  get ramBytes(): number {
    const columns = this.startOffsets === undefined ? 4 : 12;
    return (
      this.docs.length * 12 +
      this.tokens.length * columns +
      (this.terms === undefined ? 0 : this.terms.ramBytes) +
      (this.numbers?.length ?? 0) * 8 +
      (this.binary?.bytes.length ?? 0)
    );
  }
}
