/**
 * The vocabulary of analysis: tokens, the push-style stream they travel in, and the parts an analyzer is made of.
 *
 * Tokens are pushed: a tokenizer calls the first sink, each token filter is a sink that calls the next one, and one
 * mutable `Token` object travels down the chain. So analysing a text allocates nothing but the term strings. A sink
 * that keeps a token must copy it.
 */

import type { Growth } from "./growth.ts";

/** One token. The object is reused: it is valid only during the call that hands it over. */
export interface Token {
  term: string;
  /** Distance to the previous token's position; 0 stacks the token on the previous one (a synonym). */
  positionIncrement: number;
  /** How many positions the token spans; 1 except for multi-word synonyms and shingles. */
  positionLength: number;
  /** UTF-16 code unit offsets into the text as it was sent, before char filters. */
  startOffset: number;
  endOffset: number;
  /** Lucene's name of the token's class: `<ALPHANUM>`, `<NUM>`, `word`, `SYNONYM` … */
  type: string;
  /** Set by keyword markers: stemmers leave the term alone. */
  keyword: boolean;
}

/** A token as `_analyze` and highlighters want it: a copy with its absolute position. */
export interface AnalyzedToken extends Readonly<Token> {
  readonly position: number;
}

/** Takes one token during a walk; see `Token` for how long the object is valid. */
export type TokenVisitor = (token: Readonly<Token>) => void;

/** One station of the token stream. */
export interface TokenSink {
  token(token: Token): void;
  /**
   * The text is over. `endOffset` is its length in the coordinates of the text as sent;
   * `trailingIncrement` counts positions of tokens removed after the last one that passed (stop words).
   */
  end(endOffset: number, trailingIncrement: number): void;
}

/**
 * Receives terms as UTF-8 bytes, for the indexer: no string per token. The tokenizer writes the term into `bytes`
 * and calls `term`.
 */
export interface TermBytesSink {
  /** Owned by the sink, overwritten for every term; at least 1024 bytes long. */
  readonly bytes: Uint8Array;
  /** `hash` is `hashTerm(bytes, length)`. */
  term(
    length: number,
    hash: number,
    positionIncrement: number,
    startOffset: number,
    endOffset: number,
  ): void;
  /** A term whose UTF-8 form is longer than `bytes`. The sink decides whether that is an error. */
  immense(term: string): void;
}

/** Text to tokens. Obtained from `createAnalysis(...).analyzer(name)`; stateless between calls. */
export interface Analyzer {
  readonly name: string;
  /** Positions between two values of one field; `undefined`: the mapping's default (100) applies. */
  readonly positionIncrementGap: number | undefined;
  /**
   * Calls `visit` for each token in order; returns the trailing position increment (removed tokens at the end). `growth` is the account of
   * the document or request the text belongs to; without one the text has an account of its own, as in every walk below.
   */
  visit(text: string, visit: TokenVisitor, growth?: Growth): number;
  /** The same walk with terms as UTF-8 bytes: the indexing hot path. Returns the trailing position increment. */
  visitBytes(text: string, sink: TermBytesSink, growth?: Growth): number;
  /** The same walk as a list. */
  analyze(text: string, growth?: Growth): AnalyzedToken[];
  /** The terms only, in order. */
  terms(text: string, growth?: Growth): string[];
  /**
   * What `query` needs for wildcard and prefix queries on text fields: the char filters and those token filters that
   * work on single characters (lowercase, asciifolding …), without tokenizing.
   */
  normalize(text: string): string;
}

/** Keeps a keyword value one term, but folds case and the like. */
export interface Normalizer {
  readonly name: string;
  /** `growth` as in `Analyzer.visit`. */
  normalize(text: string, growth?: Growth): string;
}

/** A text after char filters, with the way back to the offsets of the text before them. */
export interface FilteredText {
  readonly text: string;
  /** Maps an offset in `text` to the offset in the filter's input; `undefined`: identical. */
  readonly correct: ((offset: number) => number) | undefined;
}

/** @throws OperationError 400 where it would make more than `most` UTF-16 units of a text. */
export type CharFilter = (text: string, most: number) => FilteredText;

/** Pushes the tokens of `text` to `sink` and ends it with `end(text.length, trailing)`. Offsets refer to `text`. */
export type Tokenizer = (text: string, sink: TokenSink) => void;

/** Puts one more station before `next`. Called once per chain, so state lives in the closure and resets in `end`. */
export interface TokenFilter {
  /** The chain counts what reaches `next`; what a filter keeps or repeats before, it takes from `growth` itself. */
  apply(next: TokenSink, growth: () => Growth): TokenSink;
  /** Passes each token on at most once, with a term of about its length: need not be counted. */
  readonly isSteady?: true;
  /** For filters that map single characters: what they do to a whole string (normalizers, wildcard queries). */
  readonly normalize?: (text: string) => string;
}

/** The values OpenSearch settings may have, nested as sent or as unflattened by the settings parser. */
export type SettingValue =
  | string
  | number
  | boolean
  | null
  | readonly SettingValue[]
  | { readonly [key: string]: SettingValue };

/** The object under `analysis` in index settings: `{analyzer: {x: {type: …}}, tokenizer: …, filter: …}`. */
export type AnalysisSettings = { readonly [key: string]: SettingValue };

/** An inline or named part in an `_analyze` request or custom definition. */
export type PartReference = string | { readonly [key: string]: SettingValue };

/** The parts of a custom `_analyze` request. */
export interface CustomParts {
  readonly tokenizer?: PartReference | undefined;
  readonly filter?: readonly PartReference[] | undefined;
  readonly char_filter?: readonly PartReference[] | undefined;
}

/** One index's analyzers and normalizers. Built once per index from its settings; immutable. */
export interface Analysis {
  /** Throws an `OperationError` in OpenSearch's words for an unknown name. */
  analyzer(name: string): Analyzer;
  hasAnalyzer(name: string): boolean;
  normalizer(name: string): Normalizer;
  hasNormalizer(name: string): boolean;
  /** `analysis.analyzer.default` if defined, else `standard`. */
  readonly defaultAnalyzer: Analyzer;
  /** `analysis.analyzer.default_search`: of queries on each field that names no analyzer for queries. */
  readonly searchAnalyzer: Analyzer | undefined;
  /** `analysis.analyzer.default_search_quoted`, likewise of phrases. */
  readonly searchQuoteAnalyzer: Analyzer | undefined;
  /** An analyzer from parts, as `_analyze` with `tokenizer`, `filter`, `char_filter` asks for. */
  custom(parts: CustomParts): Analyzer;
  /** Each stage's tokens, for `_analyze` with `explain: true`. */
  explain(parts: CustomParts, text: string): ExplainedStage[];
}

/** What one stage of a chain made of the text. */
export interface ExplainedStage {
  readonly kind: "charfilter" | "tokenizer" | "tokenfilter";
  readonly name: string;
  /** Char filters only. */
  readonly filteredText?: string;
  readonly tokens?: readonly AnalyzedToken[];
}
