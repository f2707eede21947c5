/**
 * `constant_score` and filters as queries: the documents of an inner plan, each with the boost as
 * its score. The inner plan runs without scores, so its source need not decode frequencies.
 */
import type { ConstantPlan } from "../../language/plan.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher } from "../../language/searcher.ts";
import { ConstantScoreSource, ScorerSource } from "./sets.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/** The candidates of another cursor with one score. */
export class ConstantScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private readonly inner: Scorer;

  constructor(inner: Scorer, score: number) {
    this.inner = inner;
    this.cost = inner.cost;
    this.maxScore = score;
  }
  doc(): number {
    return this.inner.doc();
  }
  next(): number {
    return this.inner.next();
  }
  advance(target: number): number {
    return this.inner.advance(target);
  }
  matches(): boolean {
    return this.inner.matches();
  }
  score(): number {
    return this.maxScore;
  }
}

/**
 * The weight of a plan whose hits all have one score. A full page of hits ends the search
 * (`Weight.constantScore`).
 */
export function constantWeight(plan: ConstantPlan, searcher: Searcher, prepare: Prepare): Weight {
  const inner = prepare.weightOf(plan.plan, searcher, { ...prepare, needsScores: false });
  const score = Math.fround(plan.boost);
  return {
    constantScore: score,
    scorer: (segment) => {
      const scorer = inner.scorer(segment);
      return scorer && new ConstantScorer(scorer, score);
    },
    source: (segment) => {
      const source = inner.source?.(segment, false);
      if (source !== undefined) return new ConstantScoreSource(source, score);
      const scorer = inner.scorer(segment);
      return scorer && new ScorerSource(scorer, segment, { filters: [], score });
    },
    filter: (segment) => inner.filter?.(segment),
    count: (segment) => inner.count?.(segment) ?? -1,
  };
}
