/**
 * A weight is the specialisation of a plan for the segments of one shard (Lucene's `Weight`):
 * statistics are looked up, scorers prepared. It opens one segment at a time; the optional members
 * are faster ways to a result that `scorer` gives as well.
 */
import type { BatchSource, DocFilter, Scorer } from "./scorer.ts";
import type { Plan } from "./plan.ts";
import type { Searcher, SegmentContext } from "./searcher.ts";

/**
 * A weight is the form of a plan that can run on the segments of a shard. Each method answers for
 * one segment; the order of segments does not matter.
 */
export interface Weight {
  /**
   * The score of every hit; `undefined`: scores differ. A full page of such hits ends the search.
   */
  readonly constantScore: number | undefined;
  /** A new cursor; `undefined`: no document of the segment matches. */
  scorer(segment: SegmentContext): Scorer | undefined;
  /** All accepted matches in batches; `undefined`: this segment has no faster way than `scorer`. */
  source?(segment: SegmentContext, needsScores: boolean): BatchSource | undefined;
  /**
   * A test for batches of another clause's documents; absent or `undefined`: the caller tests with
   * `scorer`.
   */
  filter?(segment: SegmentContext): DocFilter | undefined;
  /** Number of accepted matches if statistics alone give it; -1: unknown. */
  count?(segment: SegmentContext): number;
  /**
   * Number of accepted matches, counted without frequencies and scores before the source is read: a
   * known total lets the source skip blocks that cannot reach the page. Any number above `limit` if
   * there are more matches than `limit`; -1: counting would cost as much as collecting.
   */
  countAhead?(segment: SegmentContext, limit: number): number;
}

/** Parameters for building a weight. A weight passes them on to the weights of its clauses. */
export interface Prepare {
  /** Whether scores are read; if not, idf and other statistics are not looked up. */
  readonly needsScores: boolean;
  /**
   * Builds the weight of a plan within this one. A weight cannot import the table of builders,
   * which imports it.
   */
  readonly weightOf: (plan: Plan, searcher: Searcher, prepare: Prepare) => Weight;
}
