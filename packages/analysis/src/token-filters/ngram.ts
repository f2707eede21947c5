/** The token filter `ngram`: all substrings of `min_gram` to `max_gram` characters of each term. */
import { illegalArgument } from "@orrery/stdx";
import { createGramFilter, readGramSettings } from "./grams.ts";
import type { TokenFilterFactory } from "./table.ts";

export const ngram: TokenFilterFactory = (definition, { limits }) => {
  const settings = readGramSettings(definition);
  const { minGram, maxGram } = settings;
  if (maxGram - minGram > limits.maxNgramDiff) {
    throw illegalArgument(
      "The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: " +
        `[${limits.maxNgramDiff}] but was [${maxGram - minGram}]. This limit can be set by changing ` +
        "the [index.max_ngram_diff] index level setting.",
    );
  }
  return createGramFilter(settings, (length, emit) => {
    for (let from = 0; from < length; from += 1) {
      for (let size = minGram; size <= maxGram && from + size <= length; size += 1) {
        emit(from, from + size);
      }
    }
  });
};
