/**
 * The token filter `shingle`, Lucene's `ShingleFilter`: joins `min_shingle_size` to `max_shingle_size` adjacent
 * tokens, with filler tokens for empty positions. The unigram keeps its position; shingles that start with it are
 * stacked on it.
 */
import { illegalArgument } from "@orrery/stdx";
import { readBoolean, readInteger, readText, type Definition } from "../settings.ts";
import { copyToken, createToken } from "../token.ts";
import { TokenQueue } from "../token-queue.ts";
import type { Token, TokenSink } from "../types.ts";
import type { Growth } from "../growth.ts";
import type { AnalysisLimits } from "../parts.ts";
import type { TokenFilterFactory } from "./table.ts";

interface ShingleSettings {
  readonly min: number;
  readonly max: number;
  readonly hasUnigrams: boolean;
  readonly hasUnigramsIfNoShingles: boolean;
  readonly separator: string;
  readonly filler: string;
}

/** A token, or a filler for a position whose token was removed. */
interface Piece {
  readonly token: Token;
  readonly isFiller: boolean;
}

export const shingle: TokenFilterFactory = (definition, { limits }) => {
  const settings = readSettings(definition, limits);
  return { apply: (next, growth) => createShingleSink(settings, next, growth) };
};

function readSettings(definition: Definition, limits: AnalysisLimits): ShingleSettings {
  const min = readInteger(definition, "min_shingle_size", 2);
  const max = readInteger(definition, "max_shingle_size", 2);
  const hasUnigrams = readBoolean(definition, "output_unigrams", true);
  const difference = max - min + (hasUnigrams ? 1 : 0);
  if (difference > limits.maxShingleDiff) {
    throw illegalArgument(
      "In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if " +
        `outputting unigrams) must be less than or equal to: [${limits.maxShingleDiff}] but was ` +
        `[${difference}]. This limit can be set by changing the [index.max_shingle_diff] index level setting.`,
    );
  }
  if (max < 2) throw illegalArgument("Max shingle size must be >= 2");
  if (min < 2) throw illegalArgument("Min shingle size must be >= 2");
  if (min > max) throw illegalArgument("Min shingle size must be <= max shingle size");
  return {
    min,
    max,
    hasUnigrams,
    hasUnigramsIfNoShingles: readBoolean(definition, "output_unigrams_if_no_shingles", false),
    separator: readText(definition, "token_separator") ?? " ",
    filler: readText(definition, "filler_token") ?? "_",
  };
}

/** A sink that holds a window of at most `max` tokens. */
function createShingleSink(
  settings: ShingleSettings,
  next: TokenSink,
  growth: () => Growth,
): TokenSink {
  const { min, max } = settings;
  const pieces = new TokenQueue<Piece>();
  let isFirst = true;
  /** Whether no shingle is possible: false as soon as the window has held `min` tokens. */
  let isShort = true;
  let increment = 0;
  const out = createToken();
  const joined = { ...createToken(), type: "shingle" };
  const emit = (token: Readonly<Token>): void => {
    copyToken(token, out);
    out.positionIncrement = increment;
    increment = 0;
    next.token(out);
  };
  /** Emits the first token of the window and the shingles that start with it, then drops it. */
  const shift = (): void => {
    const hasUnigrams = settings.hasUnigrams || (settings.hasUnigramsIfNoShingles && isShort);
    const first = pieces.at(0);
    increment += 1;
    if (hasUnigrams && !first.isFiller) emit(first.token);
    let { isFiller } = first;
    let { term } = first.token;
    growth().characters(pieces.length);
    for (let size = 2; size <= pieces.length; size += 1) {
      const last = pieces.at(size - 1);
      isFiller &&= last.isFiller;
      term += settings.separator + last.token.term;
      if (size < min || isFiller) continue;
      joined.term = term;
      joined.startOffset = first.token.startOffset;
      joined.endOffset = last.token.endOffset;
      joined.positionLength = hasUnigrams ? size : size - min + 1;
      emit(joined);
    }
    pieces.drop(1);
  };
  const push = (piece: Piece): void => {
    growth().token(piece.token.term.length);
    isFirst = false;
    pieces.push(piece);
    if (pieces.length >= min) isShort = false;
    if (pieces.length === max) shift();
  };
  const pushFillers = (count: number, offset: number): void => {
    const holes = Math.min(count, max - 1);
    for (let i = 0; i < holes; i += 1) {
      const token = {
        ...createToken(),
        term: settings.filler,
        startOffset: offset,
        endOffset: offset,
      };
      push({ token, isFiller: true });
    }
  };
  return {
    token: (token) => {
      if (!isFirst || token.positionIncrement > 1) {
        pushFillers(token.positionIncrement - 1, token.startOffset);
      }
      push({ token: copyToken(token, createToken()), isFiller: false });
    },
    end: (endOffset, trailing) => {
      if (!isFirst) pushFillers(trailing, endOffset);
      while (pieces.length > 0) shift();
      isFirst = true;
      isShort = true;
      increment = 0;
      next.end(endOffset, trailing);
    },
  };
}
