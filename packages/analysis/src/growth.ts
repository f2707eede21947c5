/**
 * The growth budget: a limit on the characters and tokens that analysis produces from the texts of one document or
 * request. Parts of a chain multiply: eight char filters that turn one character into ten produce a hundred million,
 * eight `shingle` filters turn one token into 256. The budget is charged while they are produced.
 *
 * The product has no such limit; it runs until it finishes or is out of memory.
 */
import { illegalArgument } from "@orrery/stdx";

/** Limit of the output of char filters for one text: a minimum, or a multiple of the text's length. */
const ALWAYS_FILTERED = 4 * 1024 * 1024;
const TIMES_FILTERED = 4;

/** Characters charged per token in addition to its own, for counting, hashing and storing it. */
const TOKEN = 16;

/** Characters charged per output character of a char filter, for the look-up and the offset map. */
const FILTERED = 3;

/** Limits of a growth budget, in characters: a minimum, and a multiple of the input. */
export interface GrowthLimits {
  /** Characters that any input may produce, however short it is. */
  readonly always: number;
  /** Characters per input character; applies when it gives more than `always`. */
  readonly times: number;
}

/**
 * Limits for one document, which allow one or two seconds of indexing. For comparison: `ngram` with 3 to 10 characters
 * produces 180 characters per character of text.
 */
export const DOCUMENT_GROWTH: GrowthLimits = { always: 64 * 1024 * 1024, times: 192 };

/**
 * Limits for the texts of one query. They are lower than a document's, because the tokens of a query are kept in lists.
 */
export const QUERY_GROWTH: GrowthLimits = { always: 16 * 1024 * 1024, times: 32 };

/**
 * Limits for the analysis settings of one index, whatever their size: half a million synonym rules and phrases. Each
 * analyzer that uses a rule counts it again.
 */
export const SETTINGS_GROWTH: GrowthLimits = { always: 128 * 1024 * 1024, times: 0 };

/** The budget of one document or request, charged by all parts that work on its texts. */
export class Growth {
  private length = 0;
  private most: number;
  private made = 0;
  private readonly limits: GrowthLimits;

  constructor(limits: GrowthLimits = DOCUMENT_GROWTH) {
    this.limits = limits;
    this.most = limits.always;
  }

  /** Whether the budget has been exceeded; every further charge will throw. */
  get isSpent(): boolean {
    return this.made > this.most;
  }

  /** Adds a text to the input, which may raise the limit. */
  begin(text: string): void {
    this.beginLength(text.length);
  }

  beginLength(length: number): void {
    this.length += length;
    this.most = Math.max(this.limits.always, this.limits.times * this.length);
  }

  /** Charges a token that a part emits, or keeps for later. */
  token(length: number): void {
    this.characters(length + TOKEN);
  }

  /** Charges the output of a char filter. */
  filtered(length: number): void {
    this.characters(length * FILTERED);
  }

  /**
   * Charges characters that were produced, or examined more than once.
   * @throws OperationError 400: the same input can never be analysed.
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

/** Maximum output of the char filters for a text of `length`, in UTF-16 units. */
export function mostFiltered(length: number): number {
  return Math.max(ALWAYS_FILTERED, TIMES_FILTERED * length);
}

/** Throws when the output of char filters exceeds the maximum. */
export function refuseLonger(length: number, most: number): void {
  if (length <= most) return;
  throw illegalArgument(`char filters make more than [${most}] characters of one text`);
}
