/**
 * Word grams, as Lucene's `ShingleFilter`: `min_shingle_size` to `max_shingle_size` tokens joined, with filler tokens
 * where a position is empty. The unigram keeps its place, the shingles that start there stack on it.
 */
import { illegalArgument } from "@orrery/stdx";
import { readBoolean, readInteger, readText, type Definition } from "../settings.ts";
import { copyToken, createToken } from "../token.ts";
import type { Token, TokenSink } from "../types.ts";
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

/** A token, or a hole where one was removed. */
interface Piece {
  readonly token: Token;
  readonly isFiller: boolean;
}

export const shingle: TokenFilterFactory = (definition, { limits }) => {
  const settings = readSettings(definition, limits);
  return { apply: (next) => createShingleSink(settings, next) };
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

/** Collects the whole text, then lays the shingles: texts are short compared with what a window would save. */
function createShingleSink(settings: ShingleSettings, next: TokenSink): TokenSink {
  let pieces: Piece[] = [];
  const pushFillers = (count: number, offset: number): void => {
    const holes = Math.min(count, settings.max - 1);
    for (let i = 0; i < holes; i += 1) {
      const token = {
        ...createToken(),
        term: settings.filler,
        startOffset: offset,
        endOffset: offset,
      };
      pieces.push({ token, isFiller: true });
    }
  };
  return {
    token: (token) => {
      if (pieces.length > 0 || token.positionIncrement > 1) {
        pushFillers(token.positionIncrement - 1, token.startOffset);
      }
      pieces.push({ token: copyToken(token, createToken()), isFiller: false });
    },
    end: (endOffset, trailing) => {
      if (pieces.length > 0) pushFillers(trailing, endOffset);
      const all = pieces;
      pieces = [];
      emitShingles(all, settings, next);
      next.end(endOffset, trailing);
    },
  };
}

function emitShingles(pieces: readonly Piece[], settings: ShingleSettings, next: TokenSink): void {
  const isShort = pieces.length < settings.min;
  const hasUnigrams = settings.hasUnigrams || (settings.hasUnigramsIfNoShingles && isShort);
  let increment = 0;
  const out = createToken();
  const emit = (token: Readonly<Token>): void => {
    copyToken(token, out);
    out.positionIncrement = increment;
    increment = 0;
    next.token(out);
  };
  for (const [from, first] of pieces.entries()) {
    increment += 1;
    if (hasUnigrams && !first.isFiller) emit(first.token);
    for (let size = settings.min; size <= settings.max; size += 1) {
      const parts = pieces.slice(from, from + size);
      if (parts.length < size) break;
      if (parts.every(({ isFiller }) => isFiller)) continue;
      emit(join(parts, hasUnigrams ? size : size - settings.min + 1, settings.separator));
    }
  }
}

function join(parts: readonly Piece[], positionLength: number, separator: string): Token {
  const [first] = parts;
  const last = parts.at(-1);
  return {
    ...createToken(),
    term: parts.map(({ token }) => token.term).join(separator),
    startOffset: first?.token.startOffset ?? 0,
    endOffset: last?.token.endOffset ?? 0,
    type: "shingle",
    positionLength,
  };
}
