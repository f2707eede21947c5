/** Grams of each term, as Lucene's `NGramTokenFilter`: all at the term's position and with its offsets. */
import { checkGrams } from "../tokenizers/grams.ts";
import { readBoolean, readInteger, type Definition } from "../settings.ts";
import type { Token, TokenFilter, TokenSink } from "../types.ts";

export interface GramSettings {
  readonly minGram: number;
  readonly maxGram: number;
  readonly isOriginalKept: boolean;
}

export function readGramSettings(definition: Definition): GramSettings {
  const minGram = readInteger(definition, "min_gram", 1);
  const maxGram = readInteger(definition, "max_gram", 2);
  checkGrams(minGram, maxGram);
  return { minGram, maxGram, isOriginalKept: readBoolean(definition, "preserve_original", false) };
}

/** `gramsOf` lists the grams of a term, given as code points, in order. */
export function createGramFilter(
  { minGram, maxGram, isOriginalKept }: GramSettings,
  gramsOf: (chars: readonly string[]) => string[],
): TokenFilter {
  const apply = (next: TokenSink): TokenSink => {
    let skipped = 0;
    const push = (token: Token, terms: readonly string[]): void => {
      const { positionIncrement, positionLength, startOffset, endOffset, type, keyword } = token;
      for (const [i, term] of terms.entries()) {
        token.term = term;
        token.positionIncrement = i === 0 ? positionIncrement + skipped : 0;
        token.positionLength = positionLength;
        token.startOffset = startOffset;
        token.endOffset = endOffset;
        token.type = type;
        token.keyword = keyword;
        next.token(token);
      }
      skipped = terms.length === 0 ? skipped + positionIncrement : 0;
    };
    return {
      token: (token) => {
        const { term } = token;
        const chars = [...term];
        const isOutside = chars.length < minGram || chars.length > maxGram;
        const original = isOriginalKept && isOutside ? [term] : [];
        push(token, [...gramsOf(chars), ...original]);
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
