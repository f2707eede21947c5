/** The tokenizer `edge_ngram`: the first `min_gram` to `max_gram` characters of the text, or of each run of `token_chars`. */
import { createGramTokenizer } from "./grams.ts";
import type { TokenizerFactory } from "./table.ts";

export const edgeNgram: TokenizerFactory = (definition) =>
  createGramTokenizer(definition, { isEdgesOnly: true, maxDifference: undefined });
