/** Frequencies that cannot matter: a score grows with the frequency and shrinks with the length of the document. */
import type { Bm25Scorer, Postings } from "@orrery/segment";

/** Scores of terms that occur more often than this hardly differ. */
const MOST_FREQ = 16;

export interface ScoredTerm {
  readonly postings: Postings;
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
}

/**
 * How often the term occurs at least in documents that score above `score`, in the block that `shallowAdvance` chose. Documents in which it
 * occurs as often may score less.
 */
export function minFreqOver({ postings, bm25, norms }: ScoredTerm, score: number): number {
  if (score <= 0) return 0;
  const norm = norms === undefined ? 1 : postings.blockMinNorm();
  const most = Math.min(postings.blockMaxFreq(), MOST_FREQ);
  for (let freq = 1; freq < most; freq += 1) if (bm25.score(freq, norm) > score) return freq;
  return most;
}
