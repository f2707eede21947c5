/** Shared part of the gram filters, as in Lucene's `NGramTokenFilter`: all grams of a term have its position and offsets. */
import { checkGrams } from "../tokenizers/grams.ts";
import { readBoolean, readInteger, type Definition } from "../settings.ts";
import { copyToken, createToken } from "../token.ts";
import type { TokenFilter, TokenSink } from "../types.ts";

/** Settings of a gram filter; lengths are in code points. */
export interface GramSettings {
  readonly minGram: number;
  readonly maxGram: number;
  readonly isOriginalKept: boolean;
}

export function readGramSettings(definition: Definition): GramSettings {
  const minGram = readInteger(definition, "min_gram", 1);
  const maxGram = readInteger(definition, "max_gram", 2);
  return { minGram, maxGram, isOriginalKept: readBoolean(definition, "preserve_original", false) };
}

/** Receives a gram as the index of its first code point and the index behind its last. */
export type EmitGram = (from: number, to: number) => void;

/** A gram filter; `eachGram` emits the grams of a term of `length` code points in order. */
export function createGramFilter(
  { minGram, maxGram, isOriginalKept }: GramSettings,
  eachGram: (length: number, emit: EmitGram) => void,
): TokenFilter {
  checkGrams(minGram, maxGram);
  const apply = (next: TokenSink): TokenSink => {
    let skipped = 0;
    const whole = createToken();
    const out = createToken();
    let starts: readonly number[] | undefined;
    let isFirst = true;
    const push = (term: string): void => {
      copyToken(whole, out);
      out.term = term;
      out.positionIncrement = isFirst ? whole.positionIncrement + skipped : 0;
      isFirst = false;
      next.token(out);
    };
    const emit = (from: number, to: number): void =>
      push(whole.term.slice(starts?.[from] ?? from, starts?.[to] ?? to));
    return {
      token: (token) => {
        copyToken(token, whole);
        isFirst = true;
        starts = startsOf(whole.term);
        const length = starts === undefined ? whole.term.length : starts.length - 1;
        eachGram(length, emit);
        if (isOriginalKept && (length < minGram || length > maxGram)) push(whole.term);
        skipped = isFirst ? skipped + whole.positionIncrement : 0;
      },
      end: (endOffset, trailing) => {
        const total = trailing + skipped;
        skipped = 0;
        next.end(endOffset, total);
      },
    };
  };
  return { apply };
}

const SURROGATE = /[\ud800-\udfff]/;

/** Offset of each code point, and the end of the term; `undefined` when every code point is one UTF-16 unit. */
function startsOf(term: string): number[] | undefined {
  if (!SURROGATE.test(term)) return undefined;
  const starts = [0];
  let at = 0;
  for (const point of term) {
    at += point.length;
    starts.push(at);
  }
  return starts;
}
