/** Context that a part receives when it is built, beside its own settings. */
import type { Growth } from "./growth.ts";

/** Limits from index settings outside of `analysis`. */
export interface AnalysisLimits {
  /** `index.max_ngram_diff` */
  readonly maxNgramDiff: number;
  /** `index.max_shingle_diff` */
  readonly maxShingleDiff: number;
}

/** The product's defaults of `index.max_ngram_diff` and `index.max_shingle_diff`. */
export const DEFAULT_LIMITS: AnalysisLimits = { maxNgramDiff: 1, maxShingleDiff: 3 };

/** Context in which a part of an analyzer is built. */
export interface PartContext {
  /** Name of the part in the settings, for messages. */
  readonly name: string;
  readonly limits: AnalysisLimits;
}

/** The parts of an analyzer before a token filter. The rules of a synonym filter are analysed with them. */
export interface Preceding {
  terms(text: string, growth: Growth): string[];
}
