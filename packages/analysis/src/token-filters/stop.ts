/** The token filter `stop`: removes stop words; later tokens keep their positions. */
import { lowercase } from "../code-points.ts";
import { readBoolean } from "../settings.ts";
import { ENGLISH_STOP_WORDS, readStopWords } from "../stop-words.ts";
import { keepTokens } from "../token.ts";
import type { TokenFilter } from "../types.ts";
import type { TokenFilterFactory } from "./table.ts";

export const stop: TokenFilterFactory = (definition) => {
  const isCaseIgnored = readBoolean(definition, "ignore_case", false);
  const words = readStopWords(definition, "stopwords", ENGLISH_STOP_WORDS);
  return createStopFilter(words, isCaseIgnored);
};

/** A filter that removes the given words. */
export function createStopFilter(words: readonly string[], isCaseIgnored = false): TokenFilter {
  const fold = isCaseIgnored ? lowercase : (term: string): string => term;
  const stopWords = new Set(words.map(fold));
  return keepTokens(() => (token) => !stopWords.has(fold(token.term)));
}
