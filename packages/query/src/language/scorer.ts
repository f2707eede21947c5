/**
 * How documents of one segment are found: one by one (`Scorer`), many at a time (`BatchSource`), or checked in bulk
 * (`DocFilter`). Deleted and nested documents are the caller's to drop, except where `accept` is handed in.
 */

/**
 * A cursor over candidates in order. `next` and `advance` may stop at documents that only look like matches: ask
 * `matches` before counting one. `doc` is -1 at first and `NO_MORE_DOCS` past the end.
 */
export interface Scorer {
  /** Estimated candidates. */
  readonly cost: number;
  doc(): number;
  next(): number;
  /** First candidate at or after `target`, which is greater than `doc()`. */
  advance(target: number): number;
  /** Whether the current candidate is a match. May be called again. */
  matches(): boolean;
  /** Of the current match: a float. */
  score(): number;
  /** Upper bound of all scores; `Infinity` when unknown. */
  readonly maxScore: number;
}

/** Matching documents, in order, in batches; only accepted ones. */
export interface BatchSource {
  /** Fills `docs` (and `scores`); returns how many, 0 at the end. */
  next(): number;
  readonly docs: Int32Array;
  /** Floats; present when scores were asked for. */
  readonly scores: Float32Array | undefined;
  /** From now on documents that score at most this need not come. */
  setMinScore(score: number): void;
}

export interface DocFilter {
  /** Rough cost of one check: 1 for a column or bit set. */
  readonly cost: number;
  /** Moves the matching documents of `docs[0..count)` to the front, `extra` along with them; returns how many. Ascending. */
  readonly keep: Sift;
  /** The same for those that do not match; `undefined`: there is no fast way. */
  readonly drop?: Sift | undefined;
}

export type Sift = (docs: Int32Array, extra: Int32Array | undefined, count: number) => number;
