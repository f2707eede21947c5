/** The analyzer `standard`: words of UAX #29 in lower case; stop words only if configured. */
import { createAnalyzer } from "../chain.ts";
import { lowercase } from "../code-points.ts";
import { readInteger } from "../settings.ts";
import { readStopWords } from "../stop-words.ts";
import { mapTerms } from "../token.ts";
import { createStopFilter } from "../token-filters/stop.ts";
import { createStandardTokenizer, MAX_TOKEN_LENGTH } from "../tokenizers/standard.ts";
import { createStandardBytesWalk } from "./standard-bytes.ts";
import type { AnalyzerFactory } from "./table.ts";

export const standard: AnalyzerFactory = (definition, { name }) => {
  const maxTokenLength = readInteger(definition, "max_token_length", MAX_TOKEN_LENGTH);
  const stopWords = readStopWords(definition, "stopwords", []);
  const base = {
    name,
    charFilters: [],
    tokenizer: createStandardTokenizer(maxTokenLength),
  };
  if (stopWords.length > 0) {
    return createAnalyzer({
      ...base,
      filters: [mapTerms(lowercase), createStopFilter(stopWords)],
    });
  }
  return createAnalyzer({
    ...base,
    filters: [mapTerms(lowercase)],
    visitBytes: createStandardBytesWalk(maxTokenLength),
  });
};
