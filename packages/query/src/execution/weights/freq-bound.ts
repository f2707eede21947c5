/**
 * Bounds on frequencies: BM25 grows with the frequency of the term and shrinks with the length of
 * the document, so the shortest document of a block gives the lowest frequency that can still reach
 * a score.
 */
import type { Bm25Scorer, Postings } from "@orrery/segment";

/**
 * Highest bound that is tried: BM25 saturates, and beyond this frequency a bound hardly excludes
 * documents, while each try costs a score.
 */
const MOST_FREQ = 16;

/** A term's postings with its BM25 scorer and the norms of its field (`undefined`: none). */
export interface ScoredTerm {
  readonly postings: Postings;
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
}

/**
 * The lowest frequency that a document needs for a score above `score` in the block that
 * `shallowAdvance` chose last. The bound is necessary, not sufficient: a longer document of this
 * frequency may score less. 0 when there is no score to beat.
 */
export function minFreqOver({ postings, bm25, norms }: ScoredTerm, score: number): number {
  if (score <= 0) return 0;
  // The lowest norm is that of the block's shortest document: its score at a frequency bounds all.
  const norm = norms === undefined ? 1 : postings.blockMinNorm();
  const most = Math.min(postings.blockMaxFreq(), MOST_FREQ);
  for (let freq = 1; freq < most; freq += 1) if (bm25.score(freq, norm) > score) return freq;
  return most;
}
