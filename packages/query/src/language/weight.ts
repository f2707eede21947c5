/** A plan prepared for one shard: statistics looked up, scorers made. Asks for one segment at a time. */
import type { BatchSource, DocFilter, Scorer } from "./scorer.ts";
import type { Plan } from "./plan.ts";
import type { Searcher, SegmentContext } from "./searcher.ts";

export interface Weight {
  /** Every hit scores this; `undefined`: scores differ. */
  readonly constantScore: number | undefined;
  /** `undefined`: no document of this segment matches. */
  scorer(segment: SegmentContext): Scorer | undefined;
  /** A faster way to all matches with their scores; `undefined`: there is none. Honours `segment.accept`. */
  source?(segment: SegmentContext, needsScores: boolean): BatchSource | undefined;
  /** A faster way to check given documents. */
  filter?(segment: SegmentContext): DocFilter | undefined;
  /** How many accepted documents match, if that is known without looking at each; else -1. */
  count?(segment: SegmentContext): number;
  /**
   * How many accepted documents match, counted more cheaply than a source finds them, so that the source may pass over what scores too
   * little; any number of them above `limit` when there are more; -1: there is no such way.
   */
  countAhead?(segment: SegmentContext, limit: number): number;
}

export interface Prepare {
  /** Scores are wanted: otherwise statistics need not be looked up. */
  readonly needsScores: boolean;
  /** Makes the weight of a plan within this one. */
  readonly weightOf: (plan: Plan, searcher: Searcher, prepare: Prepare) => Weight;
}
