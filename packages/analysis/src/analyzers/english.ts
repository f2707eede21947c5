/**
 * The analyzer `english`, Lucene's `EnglishAnalyzer`: standard tokenizer, possessives removed, lower case, stop words
 * removed, keywords marked, Porter stemming.
 */
import { createAnalyzer } from "../chain.ts";
import { lowercase } from "../code-points.ts";
import { readList } from "../settings.ts";
import { ENGLISH_STOP_WORDS, readStopWords } from "../stop-words.ts";
import { mapTerms } from "../token.ts";
import { porterStem } from "../token-filters/porter.ts";
import { stripPossessive } from "../token-filters/possessive.ts";
import { createStemFilter } from "../token-filters/stemmer.ts";
import { createStopFilter } from "../token-filters/stop.ts";
import { createStandardTokenizer } from "../tokenizers/standard.ts";
import type { AnalyzerFactory } from "./table.ts";

export const english: AnalyzerFactory = (definition, { name }) => {
  const excluded = new Set(readList(definition, "stem_exclusion") ?? []);
  const stem = (term: string): string => (excluded.has(term) ? term : porterStem(term));
  return createAnalyzer({
    name,
    charFilters: [],
    tokenizer: createStandardTokenizer(),
    filters: [
      createStemFilter(stripPossessive),
      mapTerms(lowercase),
      createStopFilter(readStopWords(definition, "stopwords", ENGLISH_STOP_WORDS)),
      createStemFilter(stem),
    ],
  });
};
