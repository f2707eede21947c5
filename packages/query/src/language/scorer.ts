/**
 * The three ways in which documents of one segment are found: one at a time (`Scorer`), in batches
 * (`BatchSource`), or by testing a given batch (`DocFilter`). A scorer and a filter know nothing of
 * deleted and nested documents, which their caller drops; a batch source yields only accepted ones.
 *
 * Scorers compose into any tree of clauses. Batch sources exist for the frequent shapes of queries:
 * their loops run over typed arrays without a call for each document.
 */

/**
 * A cursor over candidates in ascending order, as Lucene's `Scorer` with its two-phase iterator.
 * `next` and `advance` may stop at documents that only resemble matches; `matches` decides, and
 * must be called before a document counts. `doc` is -1 at first and `NO_MORE_DOCS` past the end.
 */
export interface Scorer {
  /** Estimated number of candidates; a conjunction leads with its cheapest clause. */
  readonly cost: number;
  doc(): number;
  next(): number;
  /** Moves to the first candidate at or after `target`, which is greater than `doc()`. */
  advance(target: number): number;
  /** Whether the current candidate is a match. Repeated calls give the same answer. */
  matches(): boolean;
  /** The score of the current match, a float. Defined only after `matches` returned true. */
  score(): number;
  /** Upper bound of all scores of this segment; `Infinity` if unknown. */
  readonly maxScore: number;
}

/** Accepted matches of one segment in ascending order, a batch at a time. */
export interface BatchSource {
  /**
   * Fills `docs` and `scores` with the next batch and returns its length; 0 at the end, never
   * before. The caller may filter both arrays in place until the next call.
   */
  next(): number;
  readonly docs: Int32Array;
  /**
   * Scores of `docs`, floats; zeros if scores were not asked for. `undefined`: the source keeps
   * none.
   */
  readonly scores: Float32Array | undefined;
  /**
   * From the next batch on, documents that score at most `score` may be left out: they lose against
   * the hits that are kept already, ties going to the smaller document. A source without bounds
   * ignores it.
   */
  setMinScore(score: number): void;
}

/** A test of a batch of documents in place. */
export interface DocFilter {
  /**
   * Relative cost of testing one document: 1 for a column or a bit set. Filters run in ascending
   * order of it.
   */
  readonly cost: number;
  /**
   * Moves the matching ones of `docs[0..count)` to the front, in their order, with the values of
   * `extra` at the same indices, and returns their number. Documents ascend, in a call and over all
   * calls.
   */
  readonly keep: Sift;
  /** The complement of `keep`, if it is as fast; `undefined`: `negated` derives it from `keep`. */
  readonly drop?: Sift | undefined;
}

/**
 * Partitions a batch in place; `extra` carries 32 bits for each document, such as a frequency or
 * the bits of a float score.
 */
export type Sift = (docs: Int32Array, extra: Int32Array | undefined, count: number) => number;
