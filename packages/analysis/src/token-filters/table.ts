/** Token filters by type. To add one: a file, a member of `TokenFilterType`, a row. */
import type { Growth } from "../growth.ts";
import type { PartContext, Preceding } from "../parts.ts";
import type { Definition } from "../settings.ts";
import type { TokenFilter } from "../types.ts";
import { asciifolding } from "./asciifolding.ts";
import { edgeNgram } from "./edge-ngram.ts";
import { length } from "./length.ts";
import { lowercase } from "./lowercase.ts";
import { ngram } from "./ngram.ts";
import { shingle } from "./shingle.ts";
import { porterStemmer, stemmer } from "./stemmer.ts";
import { stop } from "./stop.ts";
import { synonym, synonymGraph } from "./synonym.ts";
import { trim } from "./trim.ts";
import { truncate } from "./truncate.ts";
import { unique } from "./unique.ts";
import { uppercase } from "./uppercase.ts";

/** Context in which a token filter is built. */
export interface TokenFilterContext extends PartContext {
  /** The parts before the filter; `undefined` while settings are checked without an analyzer. */
  readonly preceding?: Preceding | undefined;
  /** The growth budget of all rules in the settings of an index. */
  readonly growth: Growth;
}

/** Builds a token filter; throws for invalid settings. */
export type TokenFilterFactory = (
  definition: Definition,
  context: TokenFilterContext,
) => TokenFilter;

export type TokenFilterType =
  | "asciifolding"
  | "edge_ngram"
  | "length"
  | "lowercase"
  | "ngram"
  | "porter_stem"
  | "shingle"
  | "stemmer"
  | "stop"
  | "synonym"
  | "synonym_graph"
  | "trim"
  | "truncate"
  | "unique"
  | "uppercase";

/** A token filter and its use in normalizers and analyzers. */
export interface TokenFilterRow {
  readonly create: TokenFilterFactory;
  /** Whether a normalizer may use the filter. */
  readonly isNormalizing: boolean;
  /** Whether the filter can be built only inside an analyzer, because it needs the parts before it. */
  readonly needsPreceding?: boolean;
}

export const tokenFilters: Readonly<Record<TokenFilterType, TokenFilterRow>> = {
  asciifolding: { create: asciifolding, isNormalizing: true },
  edge_ngram: { create: edgeNgram, isNormalizing: false },
  length: { create: length, isNormalizing: false },
  lowercase: { create: lowercase, isNormalizing: true },
  ngram: { create: ngram, isNormalizing: false },
  porter_stem: { create: porterStemmer, isNormalizing: false },
  shingle: { create: shingle, isNormalizing: false },
  stemmer: { create: stemmer, isNormalizing: false },
  stop: { create: stop, isNormalizing: false },
  synonym: { create: synonym, isNormalizing: false, needsPreceding: true },
  synonym_graph: { create: synonymGraph, isNormalizing: false, needsPreceding: true },
  trim: { create: trim, isNormalizing: true },
  truncate: { create: truncate, isNormalizing: false },
  unique: { create: unique, isNormalizing: false },
  uppercase: { create: uppercase, isNormalizing: true },
};
