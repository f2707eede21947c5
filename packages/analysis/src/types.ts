/**
 * Vocabulary of analysis: tokens, the push-style token stream, and the parts of an analyzer.
 *
 * Tokens are pushed: a tokenizer calls the first sink, each token filter is a sink that calls the next one, and one
 * mutable `Token` travels down the chain. Analysing a text thus allocates only the terms. A sink that keeps a token
 * must copy it.
 */

import type { Growth } from "./growth.ts";

/** A token. The object is reused: it is valid only during the call that passes it. */
export interface Token {
  term: string;
  /** Distance to the position of the previous token; 0 stacks the token on it (a synonym). */
  positionIncrement: number;
  /** Number of positions that the token spans; 1 except for synonyms of several words and shingles. */
  positionLength: number;
  /** Offsets in UTF-16 units in the original text, before char filters. */
  startOffset: number;
  endOffset: number;
  /** Lucene's name of the token type: `<ALPHANUM>`, `<NUM>`, `word`, `SYNONYM` … */
  type: string;
  /** Whether the term is marked as a keyword, which stemmers leave unchanged. */
  keyword: boolean;
}

/** A copy of a token with its absolute position, for `_analyze` and highlighters. */
export interface AnalyzedToken extends Readonly<Token> {
  readonly position: number;
}

/** Receives the tokens of a walk; see `Token` for how long the object is valid. */
export type TokenVisitor = (token: Readonly<Token>) => void;

/** A stage of the token stream. */
export interface TokenSink {
  token(token: Token): void;
  /**
   * Ends the text. `endOffset` is its length in the coordinates of the original text; `trailingIncrement` is the
   * number of positions of removed tokens behind the last one that passed.
   */
  end(endOffset: number, trailingIncrement: number): void;
}

/**
 * Receives terms as UTF-8 bytes, for the indexer: no string per token. The tokenizer writes the term into `bytes` and
 * calls `term`.
 */
export interface TermBytesSink {
  /** Owned by the sink and overwritten for every term; at least 1024 bytes long. */
  readonly bytes: Uint8Array;
  /** Receives the term in `bytes`; `hash` is `hashTerm(bytes, length)`. */
  term(
    length: number,
    hash: number,
    positionIncrement: number,
    startOffset: number,
    endOffset: number,
  ): void;
  /** Receives a term whose UTF-8 form might be longer than `bytes`; the sink decides whether that is an error. */
  immense(term: string): void;
}

/** Turns text into tokens. Obtained by `createAnalysis(...).analyzer(name)`; stateless between calls. */
export interface Analyzer {
  readonly name: string;
  /** Gap in positions between two values of a field; `undefined`: the mapping's default of 100. */
  readonly positionIncrementGap: number | undefined;
  /**
   * Calls `visit` for each token in order; returns the trailing position increment. `growth` is the budget of the
   * document or request that the text belongs to; without it the text has a budget of its own. The same holds for the
   * walks below.
   */
  visit(text: string, visit: TokenVisitor, growth?: Growth): number;
  /** The same walk with terms as UTF-8 bytes: the hot path of indexing. Returns the trailing position increment. */
  visitBytes(text: string, sink: TermBytesSink, growth?: Growth): number;
  /** The tokens of the walk as a list. */
  analyze(text: string, growth?: Growth): AnalyzedToken[];
  /** The terms of the walk, in order. */
  terms(text: string, growth?: Growth): string[];
  /**
   * The text after char filters and after those token filters that map single characters (lowercase, asciifolding …),
   * without tokenizing: for wildcard and prefix queries.
   */
  normalize(text: string): string;
}

/** Maps a keyword value to one term, with case folding and the like. */
export interface Normalizer {
  readonly name: string;
  /** Normalizes a value; `growth` as in `Analyzer.visit`. */
  normalize(text: string, growth?: Growth): string;
}

/** Output of char filters, with the mapping of its offsets to their input. */
export interface FilteredText {
  readonly text: string;
  /** Maps an offset in `text` to the offset in the input; `undefined`: offsets are unchanged. */
  readonly correct: ((offset: number) => number) | undefined;
}

/**
 * Rewrites a text.
 * @throws OperationError 400 when the result would exceed `most` UTF-16 units.
 */
export type CharFilter = (text: string, most: number) => FilteredText;

/** Pushes the tokens of `text` into `sink` and ends it with `end(text.length, trailing)`. Offsets refer to `text`. */
export type Tokenizer = (text: string, sink: TokenSink) => void;

/** A token filter. `apply` runs once per chain, so state lives in its closure and must be reset in `end`. */
export interface TokenFilter {
  /**
   * Places the filter before `next`. The chain charges tokens that reach `next`; tokens that the filter keeps or
   * repeats it must charge to `growth` itself.
   */
  apply(next: TokenSink, growth: () => Growth): TokenSink;
  /** Whether the filter emits each token at most once, with a term of about the same length, and so needs no charge. */
  readonly isSteady?: true;
  /** Mapping of a whole string, for filters that map single characters (normalizers, wildcard queries). */
  readonly normalize?: (text: string) => string;
}

/** A value of analysis settings, nested as the client sent it. */
export type SettingValue =
  | string
  | number
  | boolean
  | null
  | readonly SettingValue[]
  | { readonly [key: string]: SettingValue };

/** The object under `analysis` in index settings: `{analyzer: {x: {type: …}}, tokenizer: …, filter: …}`. */
export type AnalysisSettings = { readonly [key: string]: SettingValue };

/** A part, by name or in place, in an `_analyze` request or a custom definition. */
export type PartReference = string | { readonly [key: string]: SettingValue };

/** The analyzer of an `_analyze` request, as a list of its parts; each part is named or defined in place. */
export interface CustomParts {
  readonly tokenizer?: PartReference | undefined;
  readonly filter?: readonly PartReference[] | undefined;
  readonly char_filter?: readonly PartReference[] | undefined;
}

/** Analyzers and normalizers of one index; immutable. */
export interface Analysis {
  /** The analyzer of a name. Throws OpenSearch's `OperationError` for an unknown one. */
  analyzer(name: string): Analyzer;
  hasAnalyzer(name: string): boolean;
  normalizer(name: string): Normalizer;
  hasNormalizer(name: string): boolean;
  /** `analysis.analyzer.default` if defined, else `standard`. */
  readonly defaultAnalyzer: Analyzer;
  /** `analysis.analyzer.default_search`: the analyzer of queries on fields without a search analyzer; `undefined`: not defined. */
  readonly searchAnalyzer: Analyzer | undefined;
  /**
   * `analysis.analyzer.default_search_quoted`: the analyzer of phrase queries on such fields; `undefined`: not defined.
   */
  readonly searchQuoteAnalyzer: Analyzer | undefined;
  /** The analyzer of an `_analyze` request with `tokenizer`, `filter`, `char_filter`. */
  custom(parts: CustomParts): Analyzer;
  /** Tokens of each stage, for `_analyze` with `explain: true`. */
  explain(parts: CustomParts, text: string): ExplainedStage[];
}

/** Output of one stage of a chain. */
export interface ExplainedStage {
  readonly kind: "charfilter" | "tokenizer" | "tokenfilter";
  readonly name: string;
  /** Present for char filters only. */
  readonly filteredText?: string;
  readonly tokens?: readonly AnalyzedToken[];
}
