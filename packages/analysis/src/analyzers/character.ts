/** Analyzers of a character tokenizer, with or without stop words: `simple`, `whitespace`, `stop`, `keyword`. */
import { createAnalyzer } from "../chain.ts";
import { lowercase as fold } from "../code-points.ts";
import { ENGLISH_STOP_WORDS, readStopWords } from "../stop-words.ts";
import { createStopFilter } from "../token-filters/stop.ts";
import { keyword as keywordTokenizer } from "../tokenizers/keyword.ts";
import { lowercase } from "../tokenizers/lowercase.ts";
import { whitespace as whitespaceTokenizer } from "../tokenizers/whitespace.ts";
import type { AnalyzerFactory } from "./table.ts";

export const simple: AnalyzerFactory = (_, context) =>
  createAnalyzer({
    name: context.name,
    charFilters: [],
    tokenizer: lowercase({}, context),
    filters: [],
    normalize: fold,
  });

export const stop: AnalyzerFactory = (definition, context) =>
  createAnalyzer({
    name: context.name,
    charFilters: [],
    tokenizer: lowercase({}, context),
    filters: [createStopFilter(readStopWords(definition, "stopwords", ENGLISH_STOP_WORDS))],
    normalize: fold,
  });

export const whitespace: AnalyzerFactory = (_, context) =>
  createAnalyzer({
    name: context.name,
    charFilters: [],
    tokenizer: whitespaceTokenizer({}, context),
    filters: [],
  });

export const keyword: AnalyzerFactory = (_, context) =>
  createAnalyzer({
    name: context.name,
    charFilters: [],
    tokenizer: keywordTokenizer({}, context),
    filters: [],
  });
