/** The tokenizer `ngram`: all substrings of `min_gram` to `max_gram` characters, from left to right, shorter ones first. */
import { createGramTokenizer } from "./grams.ts";
import type { TokenizerFactory } from "./table.ts";

export const ngram: TokenizerFactory = (definition, { limits }) =>
  createGramTokenizer(definition, { isEdgesOnly: false, maxDifference: limits.maxNgramDiff });
