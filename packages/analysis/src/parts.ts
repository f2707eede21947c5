/** What a part is given besides its own settings when it is built. */
import type { Growth } from "./growth.ts";

/** Limits that are index settings outside `analysis`. */
export interface AnalysisLimits {
  /** `index.max_ngram_diff` */
  readonly maxNgramDiff: number;
  /** `index.max_shingle_diff` */
  readonly maxShingleDiff: number;
}

export const DEFAULT_LIMITS: AnalysisLimits = { maxNgramDiff: 1, maxShingleDiff: 3 };

export interface PartContext {
  /** As named in the settings, for messages. */
  readonly name: string;
  readonly limits: AnalysisLimits;
}

/** The parts before a token filter in its analyzer: synonym rules are analysed with them. */
export interface Preceding {
  terms(text: string, growth: Growth): string[];
}
