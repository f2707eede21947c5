/**
 * The terms of a dictionary within some edits of a word, by a table of distances.
 *
 * Terms come in order, so each shares a prefix with the one before, whose rows of the table are
 * kept. A row holds only the cells near the diagonal, as many as edits are allowed. If no cell of a
 * row is near enough, no term with this prefix is, and all of them are skipped.
 */
import type { TermCursor, TermDictionary } from "@orrery/segment";
import { utf8Encode } from "@orrery/stdx";
import { allSteps, NO_REST, type Rest } from "../work/steps.ts";

/** A term within the allowed edits of a word. */
export interface NearTerm {
  readonly text: string;
  /** 1 for the word itself, less for each edit, always above 0. */
  readonly similarity: number;
}

/**
 * The allowed edits, the number of first characters that must be equal, and whether a swap of two
 * neighbours is one edit.
 */
export interface NearOptions {
  readonly edits: number;
  readonly prefixLength: number;
  readonly transpositions: boolean;
}

/** Terms between two rests. */
const TERMS_A_LOOK = 256;

/**
 * Terms with a lost prefix that are read before the dictionary is asked for the end of the prefix:
 * the search costs more than a few terms.
 */
const FEW_TERMS = 4;

/** The near terms, in no particular order. A term that shares nothing with the word is left out. */
export function* nearTermsSteps(
  dictionary: TermDictionary,
  word: string,
  options: NearOptions,
  rest: Rest,
): Generator<undefined, NearTerm[]> {
  const points = Array.from(word, (point) => point.codePointAt(0) as number);
  const prefix = [...word].slice(0, options.prefixLength).join("");
  const { from, to } = dictionary.prefixRange(utf8Encode(prefix));
  const found: NearTerm[] = [];
  const rows = new DistanceRows(points, options);
  let cursor = dictionary.cursor(from);
  let lost = 0;
  for (let seen = 1; cursor.next() && cursor.ord < to; seen += 1) {
    if (seen % TERMS_A_LOOK === 0) yield* rest();
    const distance = rows.distanceTo(cursor);
    if (distance <= options.edits) {
      const shorter = Math.min(points.length, rows.length);
      const similarity = distance === 0 ? 1 : Math.fround(1 - Math.fround(distance / shorter));
      if (similarity > 0) found.push({ text: cursor.text(), similarity });
    }
    lost = rows.isLost ? lost + 1 : 0;
    if (lost < FEW_TERMS) continue;
    lost = 0;
    const next = dictionary.prefixRange(cursor.bytes.slice(0, rows.lostBytes)).to;
    if (next > cursor.ord + 1) cursor = dictionary.cursor(next);
  }
  return found;
}

/** `nearTermsSteps` without rests. */
export function nearTerms(
  dictionary: TermDictionary,
  word: string,
  options: NearOptions,
): NearTerm[] {
  return allSteps(nearTermsSteps(dictionary, word, options, NO_REST));
}

/**
 * The table for one word. Row `i`, cell `j - i + edits` is the distance of a term's first `i`
 * characters from the word's first `j`, or one more than allowed. With transpositions the distance
 * is that of optimal string alignment.
 */
class DistanceRows {
  /** Characters of the last term, as far as they were read. */
  length = 0;
  /** No term that starts with the first `lostBytes` bytes of the last one is near. */
  isLost = false;
  lostBytes = 0;
  private readonly word: readonly number[];
  private readonly edits: number;
  private readonly transpositions: boolean;
  private readonly width: number;
  private readonly cells: Uint8Array;
  private readonly points: Int32Array;
  /** Rows that belong to the term before. */
  private filled = 0;

  constructor(word: readonly number[], { edits, transpositions }: NearOptions) {
    this.word = word;
    this.edits = edits;
    this.transpositions = transpositions;
    this.width = 2 * edits + 1;
    const most = word.length + edits + 1;
    this.cells = new Uint8Array((most + 1) * this.width).fill(edits + 1);
    this.points = new Int32Array(most + 1);
    for (let j = 0; j <= Math.min(edits, word.length); j += 1) this.cells[j + edits] = j;
  }

  /** The distance of the term at the cursor, or one more than allowed. */
  distanceTo({ bytes, length }: TermCursor): number {
    const { points, word, edits } = this;
    this.isLost = false;
    let known = this.filled;
    let count = 0;
    for (let at = 0; at < length;) {
      const first = bytes[at] as number;
      const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      const point = pointAt(bytes, at, size);
      at += size;
      if (count >= known || points[count] !== point) {
        known = 0;
        points[count] = point;
        this.filled = count + 1;
        if (!this.fill(count + 1)) {
          // The row is not kept, so that another term with the prefix is found lost again.
          this.filled = count;
          this.isLost = true;
          this.lostBytes = Math.min(at, length);
          this.length = count + 1;
          return edits + 1;
        }
      }
      count += 1;
    }
    this.filled = count;
    this.length = count;
    const cell = word.length - count + edits;
    return cell < 0 || cell >= this.width
      ? edits + 1
      : (this.cells[count * this.width + cell] as number);
  }

  /** Fills row `i`; false if no cell is near. Rows beyond the word and its edits have none. */
  private fill(i: number): boolean {
    const { cells, width, edits, word, points, transpositions } = this;
    const row = i * width;
    const before = row - width;
    const point = points[i - 1] as number;
    const tooFar = edits + 1;
    let isNear = false;
    for (let cell = 0; cell < width; cell += 1) {
      const j = i + cell - edits;
      let value = tooFar;
      if (j === 0) value = i;
      else if (j > 0 && j <= word.length) {
        const isSame = word[j - 1] === point;
        value = (cells[before + cell] as number) + (isSame ? 0 : 1);
        if (cell + 1 < width) value = Math.min(value, (cells[before + cell + 1] as number) + 1);
        if (cell > 0) value = Math.min(value, (cells[row + cell - 1] as number) + 1);
        const isSwap =
          transpositions &&
          i > 1 &&
          j > 1 &&
          word[j - 2] === point &&
          word[j - 1] === (points[i - 2] as number);
        if (isSwap) value = Math.min(value, (cells[before - width + cell] as number) + 1);
      }
      cells[row + cell] = Math.min(value, tooFar);
      if (value <= edits) isNear = true;
    }
    return isNear;
  }
}

/** The code point of a UTF-8 sequence. */
function pointAt(bytes: Uint8Array, at: number, size: number): number {
  const first = bytes[at] as number;
  if (size === 1) return first;
  let point = first & (0x7f >> size);
  for (let i = 1; i < size; i += 1) point = (point << 6) | ((bytes[at + i] as number) & 0x3f);
  return point;
}
