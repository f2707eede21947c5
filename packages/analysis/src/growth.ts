/**
 * The account of what analysis makes of the texts of one document, or of one request. Parts of a chain multiply: eight char filters that make ten
 * characters of one make a hundred million, eight `shingle` filters make 256 tokens of one. The account is taken from while they are made.
 *
 * The product has no such bound: it reads through its char filters, lets token filters run, and takes as long or ends for want of memory.
 */
import { illegalArgument } from "@orrery/stdx";

/** Of char filters, for one text: at least so much, or so many times its length. */
const ALWAYS_FILTERED = 4 * 1024 * 1024;
const TIMES_FILTERED = 4;

/** Characters that a token counts as besides its own: it is counted, hashed and kept. */
const TOKEN = 16;

/** Characters that one of a char filter counts as: it is looked up and its offset is kept. */
const FILTERED = 3;

export interface GrowthLimits {
  /** Characters that texts may become however short they are. */
  readonly always: number;
  /** Characters for each of theirs. */
  readonly times: number;
}

/** A second of indexing, or two. `ngram` of 3 to 10 characters needs 180 for each character of a text. */
export const DOCUMENT_GROWTH: GrowthLimits = { always: 64 * 1024 * 1024, times: 192 };

/** Tokens of a query are kept in lists. */
export const QUERY_GROWTH: GrowthLimits = { always: 16 * 1024 * 1024, times: 32 };

/** Of an index's settings, whatever is in them: half a million rules and phrases, each for every analyzer that has it. */
export const SETTINGS_GROWTH: GrowthLimits = { always: 128 * 1024 * 1024, times: 0 };

export class Growth {
  private length = 0;
  private most: number;
  private made = 0;
  private readonly limits: GrowthLimits;

  constructor(limits: GrowthLimits = DOCUMENT_GROWTH) {
    this.limits = limits;
    this.most = limits.always;
  }

  /** Something was refused; all that comes will be. */
  get isSpent(): boolean {
    return this.made > this.most;
  }

  /** One more text is to be analyzed. */
  begin(text: string): void {
    this.beginLength(text.length);
  }

  beginLength(length: number): void {
    this.length += length;
    this.most = Math.max(this.limits.always, this.limits.times * this.length);
  }

  /** A part passes a token on, or keeps one for later. */
  token(length: number): void {
    this.characters(length + TOKEN);
  }

  /** A char filter has made a text. */
  filtered(length: number): void {
    this.characters(length * FILTERED);
  }

  /**
   * Characters that were made, or looked at more than once.
   * @throws OperationError 400: what cannot be analyzed never can.
   */
  characters(count: number): void {
    this.made += count;
    if (this.made > this.most) throw tooMuch(this.most);
  }
}

function tooMuch(most: number): Error {
  return illegalArgument(
    `analysis makes more than [${most}] characters of one document, request or definition, ${TOKEN} for each token included`,
  );
}

/** In UTF-16 units, of what char filters make of a text of `length`. */
export function mostFiltered(length: number): number {
  return Math.max(ALWAYS_FILTERED, TIMES_FILTERED * length);
}

export function refuseLonger(length: number, most: number): void {
  if (length <= most) return;
  throw illegalArgument(`char filters make more than [${most}] characters of one text`);
}
